import type { CatalogOptions } from "../catalog/catalog-options.ts";
import type { ToolOptions } from "../tools/create-tools.ts";
import type { SkillTool } from "../tools/skill-tool.ts";
import { AgentViews } from "./agent-views.ts";
import { openSkills } from "../lazy.ts";
import type { OpenSkillsOptions } from "./open-skills-options.ts";
import { skillInstructions } from "./skill-instructions.ts";
import type { SkillAgent, SkillService } from "./skill-service.ts";
import type { Skills } from "./skills.ts";

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
