import { toolName } from "@skillwright/runtime/internal";
import type { CaseSource } from "./case-source.ts";
import type { DocumentPath } from "./document/data-document.ts";
import type {
  CaseConstraints,
  CaseDialect,
  EvalCase,
  Expected,
  OutputCheck,
  UnsupportedGrader,
} from "./eval-case.ts";

/** A case as its file says it, before its files are looked for and its id is made its own. */
export interface CaseDraft extends Pick<
  EvalCase,
  "title" | "input" | "expected" | "constraints" | "mock" | "trials" | "timeoutMs" | "tags"
> {
  /** In its file. */
  readonly id: string;
  readonly files: readonly DraftFile[];
  /** Where its programs lie when not beside its file; absolute. */
  readonly programs?: string;
  readonly dialect: CaseDialect;
  readonly skill?: string;
  readonly source: CaseSource;
  readonly path: DocumentPath;
}

export interface DraftFile {
  /** In the working directory. Undefined: as it is named in `from`, or the request names it. */
  readonly path?: string;
  /** Relative to `base`. */
  readonly from?: string;
  readonly content?: string;
  /** Folder, absolute. */
  readonly base: string;
}

type Limits = Partial<Omit<CaseConstraints, "forbiddenTools" | "requiredTools">>;

/** What a case expects, put together piece by piece. */
export class Expectation {
  readonly used = new Set<string>();
  readonly unused = new Set<string>();
  /** Something was said about skills. */
  saysSkills = false;
  only = false;
  readonly sequence: string[] = [];
  readonly output: OutputCheck[] = [];
  readonly statements: string[] = [];
  /** Sentences that something exact stands for: they need no judge. */
  readonly told = new Set<string>();
  readonly required: string[] = [];
  readonly forbidden: string[] = [];
  /** Checks of other clients that nobody can do here: they stay unjudged. */
  readonly unsupported: UnsupportedGrader[] = [];
  limits: Limits = {};

  get isEmpty(): boolean {
    const { sequence, output, statements, told, required, forbidden, unsupported } = this;
    const lists = [sequence, output, statements, [...told], required, forbidden, unsupported];
    const isLimited = Object.keys(this.limits).length > 0;
    return !this.saysSkills && !isLimited && lists.every((list) => list.length === 0);
  }

  add(other: Expectation): void {
    if (other.saysSkills) this.use(...other.used);
    if (other.saysSkills) this.avoid(...other.unused);
    this.only ||= other.only;
    this.sequence.push(...other.sequence);
    this.output.push(...other.output);
    this.statements.push(...other.statements);
    for (const text of other.told) this.told.add(text);
    this.required.push(...other.required);
    this.forbidden.push(...other.forbidden);
    this.unsupported.push(...other.unsupported);
    for (const [name, value] of Object.entries(other.limits))
      this.limit(name as keyof Limits, value);
  }

  use(...skills: readonly string[]): void {
    this.saysSkills = true;
    for (const skill of skills) this.used.add(skill);
  }

  avoid(...skills: readonly string[]): void {
    this.saysSkills = true;
    for (const skill of skills) this.unused.add(skill);
  }

  /** No skill at all, or none but those that are used. */
  useNoOther(): void {
    this.saysSkills = true;
    this.only = true;
  }

  /** The lower of two limits counts. */
  limit(name: keyof Limits, value: unknown): void {
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return;
    this.limits = { ...this.limits, [name]: Math.min(value, this.limits[name] ?? value) };
  }

  get expected(): Expected {
    const { saysSkills, only, sequence, output, told } = this;
    const statements = [...new Set(this.statements)].filter((text) => !told.has(text));
    const used = [...this.used];
    const unused = [...this.unused].filter((name) => !this.used.has(name));
    const { unsupported } = this;
    return {
      ...(saysSkills && { skills: { used, unused, only } }),
      sequence,
      output,
      statements,
      ...(unsupported.length > 0 && { unsupported }),
    };
  }

  get constraints(): CaseConstraints {
    return {
      ...this.limits,
      forbiddenTools: [...new Set(this.forbidden)],
      requiredTools: [...new Set(this.required)],
    };
  }
}

/** Our name for a tool of another client. */
export function ownTool(name: string): string {
  return name.toLowerCase() === "bash" ? "bash" : toolName(name);
}
