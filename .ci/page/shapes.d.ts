// Written by `python -m workshop.page_types` from companion/desk/shapes.

interface ArrowJson {
  from: string;
  to: string;
}

interface AskShape {
  id: number;
  sentence: SentenceJson;
  dice: Array<AskedDieShape>;
  suggestion: Record<string, string> | null;
}

interface AskedDieShape {
  die: string | null;
  candidates: Array<[string, number]>;
  status: string;
  crop: string | null;
}

interface AskedSeriesDieShape {
  die: string;
  name: string;
  face: string | null;
  missing: boolean;
  candidates: Array<any>;
  crop: string | null;
}

interface AuditShape {
  done: number;
  wrong: number;
  due: Array<number>;
}

interface AwaitsShape {
  kind: "throw" | "recast" | "choice" | "over";
  player: number;
  by_program: boolean;
  remote: boolean;
  sentence: SentenceJson;
  dice_sets: Array<string>;
  dice: Array<string>;
}

interface BoardAskShape {
  id: number;
  about: string;
  sentence: SentenceJson;
  candidates: Array<BoardCandidateShape>;
  sites: Array<string>;
}

interface BoardCandidateShape {
  text: string;
  sentence: SentenceJson;
  arrows: Array<ArrowJson>;
}

interface BoardFindingShape {
  kind: "agrees" | "go on" | "asked" | "mismatch" | "blind";
  sentence: SentenceJson;
  notice: SentenceJson | null;
  why_not: SentenceJson | null;
  sites: Array<string>;
  differences: Array<DifferenceShape>;
  orders: Array<OrderShape>;
  arrows: Array<ArrowJson>;
  seen: Record<string, Record<string, any>> | null;
}

interface BoardShape {
  held?: Record<string, Array<Record<string, any>>>;
  claims?: Array<string>;
  sides?: Record<string, number>;
  dice?: Array<number>;
  free?: number;
  counts?: "off" | "home" | "held" | "points";
  name: string;
  men: Record<string, any>;
  last: Array<ArrowJson>;
}

interface CameraShape {
  source: string | null;
  status: string;
  sentence: SentenceJson;
  warning: SentenceJson | null;
  hand: boolean;
  phase: string | null;
  picture: number | null;
  telephone: boolean;
}

interface ChoiceShape {
  text: string;
  choice: Record<string, any>;
}

interface DemonstrationShape {
  kind: string;
  sentence: SentenceJson;
}

interface DifferenceShape {
  site: string;
  expected: Record<string, any> | null;
  seen: Record<string, any> | null;
}

interface EvidenceShape {
  throws: Array<number>;
  log_value: Array<number>;
  needed: number;
}

interface HealthShape {
  frame_age: number | null;
  journal: "ok" | SentenceJson;
  journal_copy: "ok" | SentenceJson;
  bad_frames: number;
}

interface LightsShape {
  name: string;
  state: string;
  trouble: boolean;
  sentence: SentenceJson;
  pressed: PressedShape | null;
  squares: SentenceJson | null;
  theme: Record<string, any>;
  dimmed: boolean;
  lit: Record<string, MarkJson>;
  places: Record<string, [number, number]> | null;
}

interface ListedDieShape {
  name: string;
  set: string;
  die: string;
}

interface ListedShape {
  id: number;
  title: string;
  throws: number;
  at: number;
  last: number;
  dice: Array<ListedDieShape>;
}

interface LudixShape {
  numerals: Array<NumeralShape>;
  formed: Array<string>;
  stake: number;
  target: number;
  fails: [number, number];
  sentences: Array<SentenceJson>;
}

interface MarkJson {
  meaning: string;
  player: number;
}

interface MatchLineShape {
  event: number;
  at: number;
  actor: string;
  number: number | null;
  player: number | null;
  text: SentenceJson | null;
  move: string;
  kind: string;
  corrected: boolean;
  standing: string | null;
  set: string | null;
  faces: Record<string, string> | null;
}

interface MatchShape {
  id: number;
  name: string;
  game: string;
  title: string;
  options: Record<string, boolean | number | string>;
  paused: boolean;
  dice_by: "camera" | "tapped" | "program";
  men_by: "camera" | "tapped" | "program";
  demo: boolean;
  watched: boolean;
  dice_sets: Array<string>;
  players: Array<PlayerShape>;
  throws: number;
  acquired: number;
  of: number;
  goal: number | null;
  rules_changed: SentenceJson | null;
}

interface NumeralShape {
  text: string;
  value: number;
}

interface OrderShape {
  sentence: SentenceJson;
  arrow: ArrowJson;
}

interface OtherTableShape {
  players: Array<number>;
  sentence: SentenceJson | null;
  awaited: SentenceJson | null;
  men: SentenceJson | null;
}

interface OutcomeShape {
  winners: Array<number>;
  tie: boolean;
  why: SentenceJson | null;
  teacher: Array<any>;
  pupils: Array<any>;
}

interface PhotographShape {
  die: string;
  face: string;
  picture: string;
}

interface PlayerShape {
  virtues: Array<string>;
  pairs: Array<[string, string]>;
  number: number;
  name: string;
  score: number;
  colour: number;
  program: boolean;
  strength: string;
}

interface PressedShape {
  number: number;
  ok: boolean;
  sentence: SentenceJson;
}

interface QuestionFindingShape {
  question: string;
  found: any;
  p: number | null;
  throws: number;
}

interface ReadDieJson {
  kind: "die" | "tile";
  set: string;
  die?: string;
  face: string | null;
  status: "read" | "ask" | "ignored";
  confidence: number;
  candidates: Array<Array<string | number>>;
  polygon: Array<Array<number>>;
  twin?: number;
  remembered?: boolean;
  reason?: string;
}

interface ReadingShape {
  dice: Array<ReadDieJson>;
  status: "read" | "ask" | "ignored";
  reason: string;
  prospects: Record<string, any> | null;
  width: number;
}

interface RowShape {
  number: number;
  throws: number;
  pictures: Array<string>;
  guess: string | null;
  mixed: boolean;
  done: boolean;
  face: string | null;
}

interface RowsShape {
  phase: "gather" | "sort" | "name" | "count";
  kept: number;
  wanted: number;
  doubtful: boolean;
  rows: Array<RowShape>;
}

interface SeatingJson {
  game: string;
  lies: string;
  colours: Record<string, number>;
}

interface SentenceJson {
  text: string;
  template: string;
  parts: Record<string, any>;
}

interface SeriesCameraShape {
  source: string | null;
  status: string;
  sentence: SentenceJson;
  warning: SentenceJson | null;
  hand: boolean;
  phase: string | null;
  picture: number | null;
  telephone: boolean;
  trouble: SentenceJson | null;
}

interface SeriesDieShape {
  name: string;
  set: string;
  die: string;
  together: number;
  labels: Array<string>;
  fair: Array<number>;
  counts: Array<number>;
  throws: number;
  unread: number;
  corrected: number;
  audit: AuditShape;
  verdict: VerdictShape;
  low: Array<number>;
  high: Array<number>;
  estimate: Array<number>;
  evidence: EvidenceShape;
  findings: Array<QuestionFindingShape>;
}

interface SeriesQuestionShape {
  number: number;
  sentence: SentenceJson;
  dice: Array<AskedSeriesDieShape>;
}

interface SeriesShape {
  id: number;
  title: string;
  at: number;
  about: Record<string, any>;
  smallest: number | null;
  fixed: number | null;
  pace: any;
  session: string;
  hand: string;
  throws: number;
  dice: Array<SeriesDieShape>;
  last: Array<ShownThrowShape>;
  question: SeriesQuestionShape | null;
  photographs: Array<PhotographShape>;
}

interface SeriesState {
  sentence: SentenceJson;
  sign: "throw" | "wait" | "ask" | "hand" | "blind" | "none";
  camera: SeriesCameraShape;
  series: SeriesShape | null;
  series_list: Array<ListedShape>;
  rows: RowsShape | null;
  hitch: SentenceJson | null;
  health: HealthShape;
  version: number;
}

interface ShownThrowShape {
  number: number;
  at: number;
  die: string;
  outcome: string | null;
  suspected: string | null;
  how: string;
  asked: boolean;
  corrected: boolean;
  withdrawn: boolean;
  due: boolean;
  audited: boolean;
  session: string;
  hand: string;
  digest: string | null;
  confidence: number | null;
  crop: string | null;
}

interface TableHealthShape {
  frame_age: number | null;
  journal: "ok" | SentenceJson;
  journal_copy: "ok" | SentenceJson;
  bad_frames: number;
  reader: SentenceJson | null;
}

interface TableState {
  ludix: LudixShape | null;
  virtues: Array<VirtueShape>;
  curve: Array<[number, number]>;
  match: MatchShape | null;
  awaits: AwaitsShape;
  news: SentenceJson | null;
  throw: ThrowShape | null;
  ask: AskShape | null;
  choices: Array<ChoiceShape>;
  undo: UndoShape | null;
  drawn: string | null;
  board: BoardShape | null;
  log: Array<MatchLineShape>;
  outcome: OutcomeShape | null;
  state: "SYNCED" | "SETTLING" | "PROPOSED" | "MISMATCH" | "BLIND" | "MANUAL";
  state_sentence: SentenceJson;
  sample: boolean;
  demonstration: DemonstrationShape | null;
  camera: CameraShape;
  reading: ReadingShape | null;
  dice_camera: string | null;
  board_camera: Array<string>;
  two_cameras: boolean;
  watch: WatchShape | null;
  lights: LightsShape | null;
  other_table: OtherTableShape | null;
  autoplay: boolean;
  hitch: SentenceJson | null;
  health: TableHealthShape;
  version: number;
}

interface ThrowShape {
  event: number;
  number: number;
  player: number;
  kind: string;
  set: string | null;
  faces: Record<string, string>;
  sentence: SentenceJson;
  details: Record<string, any>;
  by: string;
  dice: Array<Record<string, any>>;
  crop: string | null;
  corrected: boolean;
}

interface UndoShape {
  event: number;
  number: number;
  player: number;
  kind: string;
  text: string;
  anyone: boolean;
  answered: boolean;
  seen: boolean;
}

interface VerdictShape {
  said: string;
  sentences: Array<SentenceJson>;
  p: number;
  called: number | null;
  largest: number;
  smallest: number | null;
  needed: number | null;
  reader_explains: boolean;
}

interface VirtueShape {
  id: string;
  name: string;
  english: string;
  sum: number;
  owner: number | null;
  throw: number | null;
}

interface WatchShape {
  status: string;
  hand: boolean;
  picture: number | null;
  warning: SentenceJson | null;
  seating: SeatingJson | null;
  ask: BoardAskShape | null;
  finding: BoardFindingShape | null;
  field: Array<[number, number]>;
}
