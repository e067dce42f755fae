import type { Grade } from "../grade/grade.ts";
import type { TrialResult } from "../results/eval-results.ts";
import type { Share } from "./create-share.ts";

/** Where a trial is written down. */
export interface TrialSource {
  /** Gives it as it was written. Throws when it is not there any more. */
  readTrial(start: number, length: number): TrialResult;
}

const SOURCE = Symbol("source");
const START = Symbol("start");
const LENGTH = Symbol("length");
const SCORES = Symbol("scores");

/** Small, since those of all trials are in memory together. */
type Stored = TrialResult & {
  readonly [SOURCE]: TrialSource;
  readonly [START]: number;
  readonly [LENGTH]: number;
  readonly [SCORES]: readonly GradeScore[];
};

/** What summaries look at. Most trials have those of others. */
type GradeScore = Omit<Grade, "evidence">;

/**
 * A trial of which only what is summarized and compared is in memory. What was done and said in it – steps, answer,
 * evidence – is read again each time somebody looks at it. For everybody else it is a result like any other.
 */
export function storedTrial(
  result: TrialResult,
  source: TrialSource,
  place: { readonly start: number; readonly length: number },
  share: Share,
): TrialResult {
  const { tags, skills, grades } = result;
  const scores = grades.map((grade) => share(withoutEvidence(grade)));
  const stored = {};
  // In the order of the fields, with the same getters for all: V8 then keeps one description of them.
  for (const [name, value] of Object.entries({
    ...result,
    tags: share(tags),
    skills: share(skills),
  })) {
    const field = DETAILS.get(name) ?? { enumerable: true, value: value as unknown };
    Object.defineProperty(stored, name, field);
  }
  Object.defineProperty(stored, SOURCE, { value: source });
  Object.defineProperty(stored, START, { value: place.start });
  Object.defineProperty(stored, LENGTH, { value: place.length });
  return Object.defineProperty(stored, SCORES, { value: scores }) as TrialResult;
}

function withoutEvidence(grade: Grade): GradeScore {
  const score: GradeScore & { evidence?: string } = { ...grade };
  delete score.evidence;
  return score;
}

const DETAILS: ReadonlyMap<string, PropertyDescriptor> = new Map([
  ["answer", detail((trial) => written(trial).answer)],
  ["status", detail((trial) => written(trial).status)],
  ["steps", detail((trial) => written(trial).steps)],
  ["runId", detail((trial) => written(trial).runId)],
  ["grades", detail((trial) => trial[SCORES].map((score, at) => storedGrade(score, trial, at)))],
]);

function written(trial: Stored): TrialResult {
  return trial[SOURCE].readTrial(trial[START], trial[LENGTH]);
}

function detail(look: (trial: Stored) => unknown): PropertyDescriptor {
  return {
    enumerable: true,
    get(this: Stored) {
      return look(this);
    },
  };
}

const TRIAL = Symbol("trial");
const PLACE = Symbol("place");

function storedGrade(score: GradeScore, trial: Stored, place: number): Grade {
  const grade = { ...score };
  Object.defineProperty(grade, TRIAL, { value: trial });
  Object.defineProperty(grade, PLACE, { value: place });
  return Object.defineProperty(grade, "evidence", EVIDENCE) as Grade;
}

const EVIDENCE: PropertyDescriptor = {
  enumerable: true,
  get(this: { readonly [TRIAL]: Stored; readonly [PLACE]: number }) {
    return written(this[TRIAL]).grades[this[PLACE]]?.evidence;
  },
};
