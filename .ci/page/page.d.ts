/** What the scripts' types rest on beside the shapes. A file of declarations alone: nothing of it runs. */

/** The attributes of an element that `page/dom.js` makes; `onclick` and the like add listeners. */
type Attributes = { [name: `on${string}`]: (event: any) => any } & { [name: string]: any };

/** A table's state by whether a match is open, so that a look at `match` decides it for all of the state. */
type InMatch = TableState & { match: MatchShape };
type State = InMatch | (TableState & { match: null });
type InSeries = SeriesState & { series: SeriesShape };

/** What the regions of a table's page share; only what belongs to a match asks for its state. */
interface TablePage {
  setup: any;
  sent: InMatch; // as it came
  state: InMatch; // what of it this visitor may use
  names: string;
  drawn: boolean;
  opened: Set<number>;
  virtues: Map<string, VirtueShape>;
  virtue(lot: string): VirtueShape | undefined;
  name(player: number): string;
  heldBy(player: number): VirtueShape[];
  redraw(): void;
}

/** What the regions of the laboratory's page share. */
interface LaboratoryPage {
  setup: any;
  state: InSeries;
}

/** What a page's template holds: of which kind an element is, the scripts know by its name or selector. */
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Element {
  closest(selector: string): any;
}

interface DocumentOrShadowRoot {
  elementFromPoint(x: number, y: number): any;
}

/** What an event's target is, its listener knows likewise. */
interface Document {
  addEventListener(type: string, listener: (event: any) => any, options?: boolean | AddEventListenerOptions): void;
}

/** `filter(Boolean)` leaves nothing out that is there. */
interface Array<T> {
  filter(predicate: BooleanConstructor): Exclude<T, null | undefined | false | "" | 0>[];
}
