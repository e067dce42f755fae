import { type Failure, parseSkill, type SkillsView } from "@skillwright/core";
import type { Audit, AuditRecord, PolicySkill, Runtime } from "@skillwright/runtime";
import type { SkillActivated } from "../events/run-event.ts";

/** What a run may do. Without one, the agent can load skills and answer, and do nothing else. */
export interface RunPolicy {
  /** Called once for each run, and again when it is resumed. Fails when `approve` does not count. */
  open(context: PolicyContext): Promise<Runtime | Failure> | Runtime;
}

export interface PolicyContext {
  readonly runId: string;
  /** The run's own record: what passes the gate has to be in it. */
  readonly audit: Audit;
  /** What was recorded before, when the run is resumed. */
  readonly records: readonly AuditRecord[];
  /** The skills that are active, with what they declare. */
  readonly activeSkills: () => Promise<readonly PolicySkill[]>;
  /** The approval that a person gives with it; its request is in the records. */
  readonly approve?: string;
}

/** What policy has to know of an active skill; read again when its content is another one. */
export class ActivePolicySkills {
  readonly #view: SkillsView;
  readonly #known = new Map<string, PolicySkill>();

  constructor(view: SkillsView) {
    this.#view = view;
  }

  async of(active: readonly SkillActivated[]): Promise<PolicySkill[]> {
    return Promise.all(active.map((skill) => this.#read(skill)));
  }

  async #read({ id, name, source, digest }: SkillActivated): Promise<PolicySkill> {
    const key = `${id} ${digest}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = this.#view.find(`${name}@${source}`);
    const read = await this.#view.readFile(`${name}@${source}`, "SKILL.md", { page: true });
    const text = read.ok && read.kind === "text" ? read.text : "";
    const { skill } = parseSkill(text, { directoryName: name });
    // What cannot be read declares that it needs nothing: then nothing is done on its behalf.
    const allowedTools = skill === undefined ? [] : skill.allowedTools;
    const trusted = found.ok && found.skill.trusted;
    const policy = { name, trusted, ...(allowedTools && { allowedTools }) };
    this.#known.set(key, policy);
    return policy;
  }
}
