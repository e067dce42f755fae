import { toolName } from "@skillwright/runtime/internal";
import type { CaseSource } from "./case-source.ts";
import type {
  CaseConstraints,
  EvalCase,
  Expected,
  OutputCheck,
  UnsupportedGrader,
} from "./eval-case.ts";
import type { DocumentPath } from "./read-document.ts";

/** A case as its file describes it, before its files are resolved and its id is made unique. */
export interface CaseDraft extends Pick<
  EvalCase,
  "title" | "input" | "expected" | "constraints" | "mock" | "trials" | "timeoutMs" | "tags"
> {
  /** In its file. */
  readonly id: string;
  readonly files: readonly DraftFile[];
  readonly dialect: EvalCase["origin"]["dialect"];
  readonly skill?: string;
  readonly source: CaseSource;
  readonly path: DocumentPath;
}

export interface DraftFile {
  /** In the working directory. Undefined: as it is named in `from`, or as the request names it. */
  readonly path?: string;
  /** Relative to `base`. */
  readonly from?: string;
  readonly content?: string;
  /** Folder, absolute. */
  readonly base: string;
}

type Limits = Partial<Omit<CaseConstraints, "forbiddenTools" | "requiredTools">>;

/** What a case expects, collected piece by piece. */
export class Expectation {
  readonly used = new Set<string>();
  readonly unused = new Set<string>();
  /** Whether anything is expected about skills. */
  saysSkills = false;
  only = false;
  readonly sequence: string[] = [];
  readonly output: OutputCheck[] = [];
  readonly statements: string[] = [];
  /** Sentences that an exact check stands for: they need no judge. */
  readonly checked = new Set<string>();
  readonly required: string[] = [];
  readonly forbidden: string[] = [];
  /** What cannot be checked here. */
  readonly unsupported: UnsupportedGrader[] = [];
  limits: Limits = {};

  use(...skills: readonly string[]): void {
    this.saysSkills = true;
    for (const skill of skills) this.used.add(skill);
  }

  avoid(...skills: readonly string[]): void {
    this.saysSkills = true;
    for (const skill of skills) this.unused.add(skill);
  }

  /** No skill, or none but those that are used. */
  useNoOther(): void {
    this.saysSkills = true;
    this.only = true;
  }

  /** The lower of two limits counts. */
  limit(name: keyof Limits, value: number): void {
    this.limits = { ...this.limits, [name]: Math.min(value, this.limits[name] ?? value) };
  }

  add(other: Expectation): void {
    if (other.saysSkills) {
      this.use(...other.used);
      this.avoid(...other.unused);
    }
    this.only ||= other.only;
    this.sequence.push(...other.sequence);
    this.output.push(...other.output);
    this.statements.push(...other.statements);
    this.required.push(...other.required);
    this.forbidden.push(...other.forbidden);
    this.unsupported.push(...other.unsupported);
    for (const [name, value] of Object.entries(other.limits)) {
      this.limit(name as keyof Limits, value);
    }
  }

  get expected(): Expected {
    const { saysSkills, only, sequence, output, checked, unsupported } = this;
    const statements = [...new Set(this.statements)].filter((text) => !checked.has(text));
    const used = [...this.used];
    const unused = [...this.unused].filter((name) => !this.used.has(name));
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
