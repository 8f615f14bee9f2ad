/**
 * Intervals for the shares of faces that hold at every look, like those of companion/fairness/confidence.py. An
 * interval contains a share until the bet against it, a mixture of Beta distributions around the fair share, has won
 * 1/level times its stake.
 */

const HALVINGS = 50;
const tables = new Map(); // by `start`: the logarithms of start (start + 1) ... (start + n - 1), by n

function rising(start, n) {
  let table = tables.get(start);
  if (!table) tables.set(start, (table = [0]));
  while (table.length <= n) table.push(table.at(-1) + Math.log(start + table.length - 1));
  return table[n];
}

function logMarginal(count, whole, centre, concentrations) {
  const parts = concentrations.map((all) =>
    rising(all * centre, count) + rising(all * (1 - centre), whole - count) - rising(all, whole));
  const top = Math.max(...parts);
  return top + Math.log(parts.reduce((sum, one) => sum + Math.exp(one - top), 0) / parts.length);
}

/** The ends of the simultaneous intervals of all faces: {low, high} by face. `about`: {fair, level, concentrations}. */
export function intervals(counts, { fair, level, concentrations }) {
  const whole = counts.reduce((all, one) => all + one, 0);
  const each = Math.log(level / counts.length);
  const ends = counts.map((count, place) => {
    const allowed = logMarginal(count, whole, fair[place], concentrations) + each;
    const kept = (share) =>
      (count ? count * Math.log(share) : 0) + (count < whole ? (whole - count) * Math.log1p(-share) : 0) >= allowed;
    const end = (outer) => {
      let [out, inside] = [outer, whole ? count / whole : 0];
      for (let n = 0; n < HALVINGS; n += 1) {
        const tried = (out + inside) / 2;
        if (kept(tried)) inside = tried;
        else out = tried;
      }
      return inside;
    };
    return [count ? end(0) : 0, count < whole ? end(1) : 1];
  });
  return { low: ends.map(([low]) => low), high: ends.map(([, high]) => high) };
}
