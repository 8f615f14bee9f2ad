// What is measured on an open page; each gives a list of what is wrong, or a word.
({
  // Every text whose contrast with what can lie behind it is too low. Where that is a gradient, its worst colour counts;
  // pictures are not judged, and what is disabled need not be readable by WCAG 2.2.
  contrast: () => {
    const parse = (text) => [...text.matchAll(/rgba?\(([^)]+)\)/g)].map(([, inner]) => {
      const [r, g, b, a = 1] = inner.split(/[ ,/]+/).filter(Boolean).map((one) => one.endsWith("%") ? parseFloat(one) / 100 : parseFloat(one));
      return [r, g, b, a];
    });
    const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
    const light = ([r, g, b]) => {
      const [x, y, z] = [r, g, b].map((one) => (one /= 255) <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const ratio = (one, other) => (Math.max(light(one), light(other)) + 0.05) / (Math.min(light(one), light(other)) + 0.05);
    const behind = (element) => { // every plain colour that may lie behind the text of an element
      if (!element) return [[255, 255, 255]];
      const style = getComputedStyle(element);
      const [own] = parse(style.backgroundColor);
      const image = style.backgroundImage === "none" ? [] : parse(style.backgroundImage);
      const layers = image.length ? image : own && own[3] > 0 ? [own] : [];
      if (layers.length && layers.every((one) => one[3] === 1)) return layers;
      // the field of a rim is drawn by the rim, beside what stands on it
      const rim = element.classList.contains("centre") ? element.parentElement.querySelector(".rim") : null;
      const field = rim?.checkVisibility() ? getComputedStyle(rim, "::before") : null;
      const [drawn] = field && field.content !== "none" ? parse(field.backgroundColor) : [];
      if (drawn?.[3] === 1) return [drawn];
      const below = behind(element.parentElement);
      const ground = own && own[3] > 0 ? below.map((one) => over(own, one)) : below;
      return image.length ? [...ground, ...image.flatMap((one) => ground.map((under) => over(one, under)))] : ground;
    };
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.textContent.trim() || element.closest("svg, script, style, :disabled, .unseen, .skip, option, [aria-disabled=true]")) continue;
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (element.closest("label")?.querySelector("input:disabled")) continue;
      const style = getComputedStyle(element);
      const size = parseFloat(style.fontSize);
      const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      const [colour] = parse(style.color);
      const worst = Math.min(...behind(element).map((ground) => ratio(over(colour, ground), ground)));
      if (worst < needed - 0.005) found.add(`${worst.toFixed(2)} ${element.tagName.toLowerCase()}.${element.className} ${node.textContent.trim().slice(0, 30)}`);
    }
    return [...found];
  },

  // Controls smaller than 48 CSS pixels. A link within a sentence may be as small as its line (WCAG 2.5.8, inline); the
  // cells of the board of virtues are reached by lists and arrows too; what is hidden until it has the focus is left out.
  smallTargets: () => [...document.querySelectorAll(
      "button, a[href], select, summary, textarea, input:not([type=file]):not([type=hidden]), [role=button], [role=slider], [tabindex='0'][role]")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".rim, .pairs, .skip, svg"))
    .filter((element) => !element.matches("p a, li > a:not(:only-child), pre, [role=region]"))
    .map((element) => [(element.closest("label") ?? element).getBoundingClientRect(), element.outerHTML.slice(0, 90)])
    .filter(([box]) => box.height < 47.5 || box.width < 47.5)
    .map(([box, html]) => `${Math.round(box.width)}x${Math.round(box.height)} ${html}`),

  // What reaches beyond the right edge, outside of what scrolls by itself (a board may).
  beyond: () => document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 0.5)
    .filter((element) => !element.closest("svg *, .unseen, .skip"))
    .map((element) => `${Math.round(element.getBoundingClientRect().right)} ${element.outerHTML.slice(0, 90)}`).slice(0, 5),

  // Texts that are cut off: their box hides what does not fit.
  cutOff: () => [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility() && element.children.length === 0 && element.textContent.trim())
    .filter((element) => !element.closest(".unseen, .skip, svg, select, [aria-hidden=true]"))
    .filter((element) => getComputedStyle(element).clipPath !== "inset(50%)") // for readers of the screen alone
    .filter((element) => ["hidden", "clip"].includes(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth + 1)
    .map((element) => `${element.scrollWidth}>${element.clientWidth} ${element.outerHTML.slice(0, 90)}`),

  // Whether whoever uses the keyboard sees where the focus is.
  focusSeen: () => {
    const element = document.activeElement;
    if (element === document.body) return "body";
    const seen = [element, element.nextElementSibling, element.closest("label"), element.parentElement].filter(Boolean)
      .some((one) => { const style = getComputedStyle(one); return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2; });
    return seen ? "" : element.outerHTML.slice(0, 120);
  },

  // Remembers in window.heard what a screen reader is given to say, once for each time that it is.
  listen: () => {
    window.heard = [];
    const regions = [...document.querySelectorAll("[aria-live], [role=status], [role=alert], [role=log]")];
    const speak = (region) => (region.checkVisibility() ? region.textContent.trim() : "");
    for (const region of regions) {
      if (regions.some((other) => other !== region && other.contains(region))) continue;
      let last = speak(region);
      new MutationObserver(() => {
        const now = speak(region);
        if (now && now !== last) window.heard.push(now.replace(/\s+/g, " "));
        last = now;
      }).observe(region, { subtree: true, childList: true, characterData: true, attributes: true });
    }
  },
})
