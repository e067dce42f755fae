import type { SkillAgent } from "./skill-service.ts";
import type { Skills } from "./skills.ts";
import type { SkillsView } from "./skills-view.ts";

interface KeptView {
  readonly view: SkillsView;
  readonly skills: readonly string[] | undefined;
}

/** A view for each agent: by its id, or by the object that stands for it. */
export class AgentViews {
  readonly #byId = new Map<string, KeptView>();
  readonly #byAgent = new WeakMap<SkillAgent, KeptView>();

  /** When an agent gets other skills it keeps what it has in context. */
  viewOf(skills: Skills, agent: SkillAgent): SkillsView {
    const kept = agent.id === undefined ? this.#byAgent.get(agent) : this.#byId.get(agent.id);
    if (kept !== undefined && isSame(kept.skills, agent.skills)) return kept.view;
    const view = skills.view({
      ...(agent.skills === undefined ? undefined : { names: agent.skills }),
      ...(kept === undefined ? undefined : { ledger: kept.view.ledger.save() }),
    });
    const next = { view, skills: agent.skills && [...agent.skills] };
    if (agent.id === undefined) this.#byAgent.set(agent, next);
    else this.#byId.set(agent.id, next);
    return view;
  }

  release(agent: SkillAgent): void {
    if (agent.id === undefined) this.#byAgent.delete(agent);
    else this.#byId.delete(agent.id);
  }
}

function isSame(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.join("\n") === b.join("\n"));
}
