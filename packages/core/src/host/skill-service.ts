import type { CatalogOptions } from "../catalog/catalog-options.ts";
import { openSkills } from "../lazy.ts";
import type { Logger } from "../logger.ts";
import type { ToolOptions } from "../tools/create-tools.ts";
import type { SkillTool } from "../tools/skill-tool.ts";
import { skillInstructions } from "./skill-instructions.ts";
import type { SkillsView } from "./skills-view.ts";
import type { OpenSkillsOptions, Skills } from "./skills.ts";

/** An agent of a host, as far as skills are concerned. */
export interface SkillAgent {
  /** Agents of one id share what they have in context; all others know nothing of each other. */
  readonly id?: string;
  /** Such as "task", "routing" or "planning". */
  readonly kind?: string;
  /** Only these skills. Default: all that a model may see. */
  readonly skills?: readonly string[];
}

/** What the plugin asks of the skills. A host can put its own in the place of `openSkillService`. */
export interface SkillService {
  /** Finds the skills. Called once before anything else. */
  start(): Promise<void>;
  /** What the agent's model is told; empty when there is nothing. */
  instructions(agent: SkillAgent): Promise<string>;
  tools(agent: SkillAgent): Promise<SkillTool[]>;
  /** Forgets what the agent has in context. */
  release?(agent: SkillAgent): void;
  /** Ends what runs in the background. */
  close?(): Promise<void>;
}

interface KeptView {
  readonly view: SkillsView;
  readonly skills: readonly string[] | undefined;
}

/** A view for each agent: by its id, or by the object that stands for it. */
class AgentViews {
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

export interface SkillServiceSettings extends OpenSkillsOptions {
  /** Which tools an agent gets. Default: the preset "standard". */
  readonly tools?: ToolOptions;
  /** How the skills are listed. Default: all of them, as XML. */
  readonly catalog?: CatalogOptions;
}

/** Skills from folders and code, a view for each agent. */
export function openSkillService(settings: SkillServiceSettings = {}): SkillService {
  const { tools, catalog = {}, ...options } = settings;
  const views = new AgentViews();
  let opened: Promise<Skills> | undefined;
  const open = async (): Promise<Skills> => {
    // A start that failed may be tried again.
    opened ??= openSkills(options).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const current = async (agent: SkillAgent) => {
    const skills = await open();
    await skills.refreshIfStale();
    return { skills, view: views.viewOf(skills, agent) };
  };
  const toolsOf = async (agent: SkillAgent): Promise<SkillTool[]> => {
    const { skills, view } = await current(agent);
    return skills.tools({ catalog, ...tools, view });
  };
  return {
    async start() {
      await open();
    },
    tools: toolsOf,
    async instructions(agent) {
      const offered = await toolsOf(agent);
      const { view } = await current(agent);
      return skillInstructions(view, offered, catalog);
    },
    release: (agent) => views.release(agent),
    async close() {
      const skills = await opened;
      await skills?.close();
    },
  };
}

/** The same logger, of which nothing fails: what cannot be logged must not end the work. */
export function safeLogger(logger: Logger): Logger {
  const at =
    (level: keyof Logger): Logger[keyof Logger] =>
    (message, context) => {
      try {
        logger[level](message, context);
      } catch {
        // There is nobody left to tell.
      }
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
