import { checkOptions, defined } from "../internal/options.ts";
import type { CatalogOptions } from "../catalog/catalog-entry.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { openSkills } from "../lazy.ts";
import { type Logger, safeLogger } from "../logger.ts";
import type { OpenSkillsOptions } from "../registry/registry-options.ts";
import type { Skills } from "../registry/skills.ts";
import type { ToolOptions } from "../tools/create-tools.ts";
import { originOf, type SkillTool, type ToolContext, withOrigin } from "../tools/skill-tool.ts";
import type { ConversationOptions } from "../conversation/conversation.ts";

/** An agent of a host, as far as skills are concerned. */
interface SkillAgent {
  /** Agents with the same id share one conversation; others know nothing of each other. */
  readonly id?: string;
  /** Such as "task", "routing" or "planning". */
  readonly kind?: string;
  /** Only these skills. Default: all that a model may see. */
  readonly skills?: readonly string[];
}

/** What the plugin asks of the skills. A host can replace `openSkillService` by its own. */
export interface SkillService {
  /** Finds the skills. Called once before anything else. */
  start(): Promise<void>;
  /** What the agent's model is told; empty when there is nothing. */
  instructions(agent: SkillAgent): Promise<string>;
  tools(agent: SkillAgent): Promise<SkillTool[]>;
  /** Forgets what the agent has in context. */
  release?(agent: SkillAgent): void;
  /** Stops what runs in the background. */
  close?(): Promise<void>;
}

export interface SkillServiceSettings
  extends OpenSkillsOptions, Pick<ConversationOptions, "scripts" | "providers"> {
  /** Which tools an agent gets. Default: the preset "standard". */
  readonly tools?: ToolOptions;
  /** How the skills are listed. Default: all of them, as XML. */
  readonly catalog?: CatalogOptions;
}

interface KeptConversation {
  readonly conversation: Conversation;
  readonly skills: readonly string[] | undefined;
}

/** Skills from folders and code, with a conversation for each agent: by its id, or by its object. */
function openSkillService(settings: SkillServiceSettings = {}): SkillService {
  const { tools, catalog = {}, scripts, providers, ...options } = settings;
  const byId = new Map<string, KeptConversation>();
  const byAgent = new WeakMap<SkillAgent, KeptConversation>();
  let opened: Promise<Skills> | undefined;
  const open = async (): Promise<Skills> => {
    // A start that failed may be tried again.
    opened ??= openSkills(options).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const conversationOf = async (agent: SkillAgent): Promise<Conversation> => {
    const skills = await open();
    await skills.refreshIfStale();
    const kept = agent.id === undefined ? byAgent.get(agent) : byId.get(agent.id);
    const include = agent.skills && [...agent.skills];
    if (kept !== undefined && isSame(kept.skills, include)) return kept.conversation;
    // An agent that gets other skills keeps what it has in context.
    const state = kept?.conversation.save();
    const conversation = skills.conversation(defined({ include, scripts, providers, state }));
    const next = { conversation, skills: include };
    if (agent.id === undefined) byAgent.set(agent, next);
    else byId.set(agent.id, next);
    return conversation;
  };
  return {
    async start() {
      await open();
    },
    async tools(agent) {
      return (await conversationOf(agent)).tools({ catalog, ...tools });
    },
    async instructions(agent) {
      const conversation = await conversationOf(agent);
      return conversation.instructions({
        ...catalog,
        tools: conversation.tools({ catalog, ...tools }),
      });
    },
    release(agent) {
      if (agent.id === undefined) byAgent.delete(agent);
      else byId.delete(agent.id);
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

function isSame(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.join("\n") === b.join("\n"));
}

export interface SkillsPluginOptions {
  /** Where skills come from, and how an agent meets them. */
  readonly settings?: SkillServiceSettings;
  /** Kinds of agents that get no skills. Default: "routing" and "planning". */
  readonly kindsWithoutSkills?: readonly string[];
  /** The host's own service; then only the logger of `settings` is used. */
  readonly service?: SkillService;
}

/** What a host registers: one call, and every agent can have instructions and tools. */
export interface SkillsPlugin {
  /** Finds the skills and logs what happens. The other calls wait for it. */
  readonly start: () => Promise<void>;
  /** What an agent's model is told; empty when there is nothing. */
  readonly instructions: (agent?: SkillAgent) => Promise<string>;
  readonly tools: (agent?: SkillAgent) => Promise<SkillTool[]>;
  readonly service: SkillService;
}

const KINDS_WITHOUT_SKILLS = ["routing", "planning"];

/** Makes skills a plugin of a host framework. */
export function skillsPlugin(options: SkillsPluginOptions = {}): SkillsPlugin {
  checkOptions("skillsPlugin", options, {
    settings: "object",
    kindsWithoutSkills: "strings",
    service: "object",
  });
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
  // Agents without an id or an object share one conversation.
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

/** Calls without a logger of their own use the plugin's. */
function withLogger(tool: SkillTool, logger: Logger): SkillTool {
  const logged: SkillTool = {
    name: tool.name,
    description: tool.description,
    mayAsk: tool.mayAsk ?? false,
    get inputSchema() {
      return tool.inputSchema;
    },
    execute: (input, context: ToolContext = {}) => tool.execute(input, { logger, ...context }),
    toText: (result) => tool.toText(result),
    isError: (result) => tool.isError?.(result) ?? false,
  };
  const origin = originOf(tool);
  return origin === undefined ? logged : withOrigin(logged, origin);
}
