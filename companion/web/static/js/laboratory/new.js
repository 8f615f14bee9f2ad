/** The form for a new series: which dice, which bias matters, and how many throws find it. */

import { BASE, byId, el } from "../page/dom.js";
import { dieOf, drawFace } from "./dice.js";
import { rounded } from "./die.js";
import { loadLaboratory, order } from "./server.js";
import { opened } from "../page/opening.js";
import { number, t } from "../page/texts.js";

const MOST = 6; // dice at once
const PACE = 6; // throws per minute, as long as nobody has thrown
const HOUR = 60;

const form = byId("lab-form");
const rows = []; // {die, name}: the dice of the series
let setup = null;

const chosenSet = () => setup.dice_sets[chosen("set")];

/** The last face of each set's first die, as a picture of the set. */
function drawSets() {
  for (const place of form.querySelectorAll(".set-faces")) {
    const [first] = setup.dice_sets[place.dataset.set].dice;
    place.replaceChildren(drawFace(first, first.faces.at(-1).text));
  }
}

const called = (n) => t("labnew.default_name", { number: n + 1 });

/** The different dice of a set: the first of several equal dice represents them all. */
const kinds = (set) => (set.alike ? [set.dice[0]] : set.dice);

/** Whether a person distinguishes like dice by colour or mark: then each of them is a die of its own. */
const byLooks = () => chosenSet().alike && byId("told-apart").checked;

const free = (set) => byLooks() ? kinds(set) : kinds(set).filter(({ name }) => !rows.some((row) => row.die === name));

/** One row for each die: which die of the set, its name, and how many of them there are. */
function drawRows() {
  const set = chosenSet();
  byId("dice-rows").replaceChildren(...rows.map((row, n) => el("div", { class: "die-row" },
    kinds(set).length > 1 ? el("label", { class: "field" },
      el("span", {}, t("labnew.which_of_set")), el("select", { onchange: (event) => {
      row.die = event.target.value;
      drawRows();
      drawPlans();
    } },
    kinds(set).filter(({ name }) =>
      name === row.die || free(set).some((one) => one.name === name)).map(({ name, faces }) =>
      el("option", { value: name, ...(name === row.die ? { selected: true } : {}) },
        `${name}: ${faces.map(({ text }) => text).join(" ")}`)))) : null,
    el("label", { class: "field" }, el("span", {}, t("labnew.name_of", { number: n + 1 })),
      el("input", { value: row.name, maxlength: 40, required: true,
        oninput: (event) => (row.name = event.target.value) })),
    set.alike && !byLooks() ? el("label", { class: "field few" }, el("span", {}, t("labnew.together")),
      el("input", { type: "number", min: 1, max: Math.min(MOST, set.most), value: row.together ?? 1, required: true,
        inputmode: "numeric", oninput: (event) => (row.together = Number(event.target.value)) })) : null,
    rows.length > 1 ? el("button",
      { type: "button", class: "quiet", "aria-label": t("labnew.remove", { name: row.name }), onclick: () => {
        rows.splice(n, 1);
        drawRows();
        byId("add-die").focus();
      } }, "×") : null)));
  byId("add-die").hidden = !free(set).length || rows.length >= Math.min(MOST, set.most);
  byId("looks-field").hidden = !set.alike || set.most < 2;
  byId("looks-why").hidden = byId("looks-field").hidden;
  const twins = rows.some((row) => dieOf(setup, { set: set.name, die: row.die }).twins);
  byId("twins-field").hidden = !twins;
  byId("twins-why").hidden = !twins;
  drawFears(set);
}

/** What may be feared of each die of the series; a choice that one of them cannot have falls back to none. */
function drawFears(set) {
  const fears = rows.map((row) => dieOf(setup, { set: set.name, die: row.die }).fears);
  for (const choice of form.querySelectorAll("input[name=fear]")) {
    const possible = !choice.value || fears.every((known) => known.includes(choice.value));
    choice.closest("label").hidden = !possible;
    if (choice.checked && !possible) form.querySelector("input[name=fear]").checked = true;
  }
}

const chosen = (name) => form.querySelector(`input[name=${name}]:checked`).value;

/** Another set begins with one of its dice, which keeps the given name. */
function changeSet() {
  const name = rows[0]?.name ?? called(0);
  rows.splice(0, rows.length, { die: chosenSet().dice[0].name, name });
  drawRows();
  drawPlans();
}

let asked = 0;

/** Request the plan of each bias; the form stays usable meanwhile, and a late answer for another die is dropped. */
function drawPlans() {
  asked += 1;
  const mine = asked;
  const set = chosenSet().name;
  const { die } = rows[0];
  const fear = chosen("fear");
  for (const place of form.querySelectorAll(".plan")) place.textContent = t("labnew.reckoning");
  const one = async (place) => {
    try {
      const wanted = new URLSearchParams({ set, die, fear, bias: place.dataset.bias });
      const answer = await fetch(`${BASE}/lab/api/plan?${wanted}`);
      const plan = answer.ok ? await answer.json() : null;
      if (mine === asked) place.textContent = plan ? told(plan) : "";
    } catch {
      if (mine === asked) place.textContent = "";
    }
  };
  [...form.querySelectorAll(".plan")].reduceRight((before, place) => before.then(() => mine === asked && one(place)),
    Promise.resolve());
}

function told({ find, rule_out: out }) {
  if (!find) return t("labnew.beyond");
  const hours = Math.max(1, Math.round(out / PACE / HOUR));
  return t("labnew.plan", { find: number(rounded(find)), out: number(rounded(out)), count: hours, pace: PACE });
}

form.addEventListener("change", (event) => {
  if (event.target.name === "set") changeSet();
  if (event.target.name === "fear") drawPlans();
  if (event.target.id === "told-apart") {
    rows.splice(1);
    drawRows();
  }
  if (event.target.name === "fixing") byId("fixed-field").hidden = event.target.value !== "yes";
});

byId("add-die").addEventListener("click", () => {
  rows.push({ die: free(chosenSet())[0].name, name: called(rows.length) });
  drawRows();
  byId("dice-rows").lastElementChild.querySelector("input").focus();
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const wrong = byId("lab-wrong");
  wrong.textContent = "";
  const names = rows.map(({ name }) => name.trim());
  if (new Set(names).size < names.length) {
    wrong.textContent = t("labnew.same_name");
    return;
  }
  const set = chosenSet().name;
  const fixing = chosen("fixing") === "yes";
  const about = Object.fromEntries(["who", "surface", "method", "maker", "edges", "weight",
    "float"].map((name) => [name, byId(`about-${name}`).value.trim()]).filter(([, value]) => value));
  const apart = !byId("twins-field").hidden && byId("twins").checked;
  try {
    await order("begin", {
      title: byId("title").value.trim() || names.join(", "),
      dice: rows.map(({ die, together }, n) =>
        ({ set, die, name: names[n],
          ...(byLooks() ? { by_looks: true } : chosenSet().alike && together > 1 ? { together } : {}),
          twins_apart: apart && Boolean(dieOf(setup, { set, die }).twins) })),
      smallest: Number(chosen("smallest")),
      fear: chosen("fear"),
      fixed: fixing ? Number(byId("fixed").value) : null,
      about,
    });
    location.assign(`${BASE}/lab`);
  } catch (error) {
    wrong.textContent = error.message;
  }
});

await opened((loaded) => {
  setup = loaded;
  drawSets();
  changeSet();
}, loadLaboratory);
