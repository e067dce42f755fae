import type { Logger } from "../logger.ts";
import { originOf, type SkillTool, type ToolContext, withOrigin } from "../tools/skill-tool.ts";
import {
  openSkillService,
  safeLogger,
  type SkillAgent,
  type SkillService,
  type SkillServiceSettings,
} from "./skill-service.ts";

export interface SkillsPluginOptions {
  /** Where skills come from, and how an agent meets them. */
  readonly settings?: SkillServiceSettings;
  /** Kinds of agents that get no skills. Default: "routing" and "planning". */
  readonly kindsWithoutSkills?: readonly string[];
  /** A service of the host's own; settings then only give the logger. */
  readonly service?: SkillService;
}

/** What a host registers: one call, and every agent can have instructions and tools. */
export interface SkillsPlugin {
  /** Finds the skills; what happens is in the log. The other calls wait for it. */
  readonly start: () => Promise<void>;
  /** What an agent's model is told; empty when there is nothing. */
  readonly instructions: (agent?: SkillAgent) => Promise<string>;
  readonly tools: (agent?: SkillAgent) => Promise<SkillTool[]>;
  readonly service: SkillService;
}

const KINDS_WITHOUT_SKILLS = ["routing", "planning"];

/** Makes skills a plugin of a host framework. */
export function skillsPlugin(options: SkillsPluginOptions = {}): SkillsPlugin {
  const { settings = {}, kindsWithoutSkills = KINDS_WITHOUT_SKILLS } = options;
  const logger = settings.logger && safeLogger(settings.logger);
  const service = options.service ?? openSkillService(settings);
  const without = new Set(kindsWithoutSkills.map((kind) => kind.toLowerCase()));
  const hasSkills = ({ kind = "" }: SkillAgent) => !without.has(kind.toLowerCase());
  let started: Promise<void> | undefined;
  const start = (): Promise<void> => {
    started ??= service.start().catch((error: unknown) => {
      started = undefined;
      logger?.error("skills could not be loaded", { error: String(error) });
      throw error;
    });
    return started;
  };
  // Agents without an id or an object of their own are one.
  const anyone: SkillAgent = {};
  return {
    start,
    service,
    async instructions(agent = anyone) {
      if (!hasSkills(agent)) return "";
      await start();
      return service.instructions(agent);
    },
    async tools(agent = anyone) {
      if (!hasSkills(agent)) return [];
      await start();
      const tools = await service.tools(agent);
      return logger === undefined ? tools : tools.map((tool) => withLogger(tool, logger));
    },
  };
}

/** Calls without a logger of their own are told to the plugin's. */
function withLogger(tool: SkillTool, logger: Logger): SkillTool {
  const logged: SkillTool = {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    execute: (input, context: ToolContext = {}) => tool.execute(input, { logger, ...context }),
    toText: (result) => tool.toText(result),
    isError: (result) => tool.isError?.(result) ?? false,
  };
  const origin = originOf(tool);
  return origin === undefined ? logged : withOrigin(logged, origin);
}
