/**
 * The bet against a die, throw by throw, like that of companion/fairness/mixture.py: a stake of 1 on many alternatives
 * to a fair die. Each alternative wins by how much more likely it makes the face that fell. With a fair die the wealth
 * reaches 20 in at most one case of 20, however often one looks.
 */

const POINTS = 240; // the most points of the course to keep

export class Bet {
  /** `about`: {fair, shifts, on_shifts, concentrations, on_spread}, from the server. */
  constructor(about) {
    this.about = about;
    this.counts = about.fair.map(() => 0);
    this.whole = 0;
    this.logs = [...about.on_shifts, ...about.on_spread].map(Math.log);
    this.value = 0; // the logarithm of the wealth
    this.most = 0;
    this.called = null; // the throw at which it first reached `needed`
    this.course = [];
  }

  /**
   * Bet on one more throw, given as the index of a face. `needed`: the logarithm from which the die is called biased.
   */
  add(place, needed) {
    const { fair, shifts, concentrations } = this.about;
    for (let n = 0; n < shifts.length; n += 1) this.logs[n] += shifts[n][place];
    concentrations.forEach((all, n) => {
      this.logs[shifts.length
        + n] += Math.log((all * fair[place] + this.counts[place]) / (all + this.whole)) - Math.log(fair[place]);
    });
    this.counts[place] += 1;
    this.whole += 1;
    const top = Math.max(...this.logs);
    this.value = top + Math.log(this.logs.reduce((sum, one) => sum + Math.exp(one - top), 0));
    if (this.value > this.most) this.most = this.value;
    if (this.called === null && this.value >= needed) this.called = this.whole;
    this.course.push([this.whole, this.value]);
    if (this.course.length > 2 * POINTS) this.course = this.course.filter((_, n) => n % 2 === 1);
  }

  /** The wealth after throws in unknown order: `counts` by face. */
  static of(about, counts, needed) {
    const bet = new Bet(about);
    counts.forEach((count, place) => {
      for (let n = 0; n < count; n += 1) bet.add(place, Infinity);
    });
    bet.most = bet.value;
    bet.called = bet.value >= needed ? bet.whole : null;
    return bet;
  }

  /** The course in the form for a plot. */
  line() {
    return { throws: this.course.map(([at]) => at), values: this.course.map(([, value]) => value) };
  }
}
