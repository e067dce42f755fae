import { join } from "node:path";

/** What a program that reads skills expects of them. */
export interface Client {
  /** As `--agent` names it. */
  readonly id: string;
  readonly name: string;
  /** Folders of skills of a project, with `/`; the first is the one to install into. */
  readonly project: readonly [string, ...string[]];
  /** Folder of skills of a user, below the home folder; absent where there is none. */
  readonly user?: string;
  /** What shows that a person uses it: below the home folder or the project. */
  readonly marks: readonly string[];
  /** The variable that names another folder than the first of `marks`, and than where `user` is below that. */
  readonly movedBy?: string;
  /** Characters of a description that the catalog shows; absent: what the specification allows. */
  readonly descriptionCharacters?: number;
  /** What the catalog of all skills may take, as its documentation says it. */
  readonly catalogBudget?: string;
  /** What else differs from the specification. */
  readonly quirks?: readonly string[];
  /** How it reads a SKILL.md; absent where that is not known, and then the specification counts. */
  readonly reads?: ClientReads;
  /** Where this was read, and when. */
  readonly source: string;
  /** Whether that is the client's own documentation or source, and not a list of somebody else. */
  readonly verified: boolean;
  readonly date: string;
}

export interface ClientReads {
  /** Fields of the frontmatter that have an effect; it ignores the others. */
  readonly fields: readonly string[];
  /** Fields without which it leaves the skill out. */
  readonly needs: readonly string[];
  /** It leaves out a skill whose name is not that of its folder, or not in small letters, digits and hyphens. */
  readonly strictName?: true;
  /** It leaves out a skill with a longer description. */
  readonly maxDescription?: number;
  /** It reads frontmatter that is not valid YAML line by line. */
  readonly repairs?: true;
  /** How deep below a folder of skills it looks. */
  readonly depth: number;
  /** What the catalog of all skills may take, in characters. */
  readonly catalogCharacters?: number;
  /** Tools that `allowed-tools` may name, where it counts. */
  readonly tools?: readonly string[];
  /** Variables for the skill's folder that it replaces in the text. */
  readonly variables?: readonly string[];
  readonly source: string;
  readonly date: string;
}

const NAMED = ["name", "description"] as const;
const DOCUMENTED = [...NAMED, "license", "compatibility", "metadata"] as const;

const TABLE = "vercel-labs/skills src/agents.ts at 007a5332";
const DATE = "2026-11-20";
const SHARED = ".agents/skills";

/** The clients that skills are installed for. Every fact comes from the place its row names. */
export const CLIENTS: readonly Client[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    project: [".claude/skills"],
    user: ".claude/skills",
    marks: [".claude"],
    movedBy: "CLAUDE_CONFIG_DIR",
    descriptionCharacters: 1536,
    catalogBudget: "1 % of the context, 4 characters a token",
    quirks: ["allowed-tools is granted without regard to workspace trust"],
    reads: {
      fields: [
        ...DOCUMENTED,
        "allowed-tools",
        "argument-hint",
        "arguments",
        "disable-model-invocation",
        "disallowed-tools",
        "effort",
        "user-invocable",
        "model",
        "context",
        "agent",
        "hooks",
        "paths",
        "shell",
        "when_to_use",
      ],
      needs: [],
      depth: 1,
      // 1 % of 200,000 tokens.
      catalogCharacters: 8000,
      tools: [
        "Agent",
        "AskUserQuestion",
        "Bash",
        "BashOutput",
        "Edit",
        "EnterPlanMode",
        "ExitPlanMode",
        "Glob",
        "Grep",
        "KillShell",
        "LSP",
        "MultiEdit",
        "NotebookEdit",
        "Read",
        "Skill",
        "SlashCommand",
        "Task",
        "TodoWrite",
        "WebFetch",
        "WebSearch",
        "Write",
      ],
      variables: ["CLAUDE_SKILL_DIR"],
      source: "code.claude.com/docs/en/skills; ryoppippi/oxlint-plugin-agent-skills",
      date: DATE,
    },
    source: "code.claude.com/docs/en/skills",
    verified: true,
    date: DATE,
  },
  {
    id: "codex",
    name: "Codex",
    project: [SHARED, ".codex/skills"],
    user: SHARED,
    marks: [".codex"],
    movedBy: "CODEX_HOME",
    catalogBudget:
      "2 % of the context or 8,000 characters; descriptions are shortened, then left out",
    quirks: [
      "reads further fields from agents/openai.yaml beside SKILL.md",
      "still reads $CODEX_HOME/skills, which is deprecated",
      "shows skills of the same name side by side",
    ],
    reads: {
      fields: [...NAMED, "metadata"],
      needs: ["description"],
      maxDescription: 1024,
      depth: 6,
      catalogCharacters: 8000,
      source: "openai/codex codex-rs/core-skills/src/loader.rs",
      date: DATE,
    },
    source:
      "developers.openai.com/codex/skills; openai/codex codex-rs/ext/skills/src/host_roots.rs",
    verified: true,
    date: DATE,
  },
  {
    id: "cursor",
    name: "Cursor",
    project: [SHARED, ".cursor/skills", ".claude/skills", ".codex/skills"],
    user: ".cursor/skills",
    marks: [".cursor"],
    reads: {
      fields: [...DOCUMENTED, "allowed-tools", "paths", "disable-model-invocation"],
      needs: NAMED,
      depth: 1,
      source: "goldziher.github.io/ai-rulez/skills",
      date: DATE,
    },
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "github-copilot",
    name: "GitHub Copilot",
    project: [SHARED, ".github/skills", ".claude/skills"],
    user: ".copilot/skills",
    marks: [".copilot"],
    reads: {
      fields: [...NAMED, "argument-hint", "user-invocable", "disable-model-invocation", "context"],
      needs: NAMED,
      strictName: true,
      maxDescription: 1024,
      depth: 1,
      source: "code.visualstudio.com/docs/agent-customization/agent-skills",
      date: "2026-05-28",
    },
    source: "docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/create-skills",
    verified: true,
    date: DATE,
  },
  {
    id: "gemini-cli",
    name: "Gemini CLI",
    project: [SHARED, ".gemini/skills"],
    user: ".gemini/skills",
    marks: [".gemini"],
    quirks: ["asks before each activation", ".agents/skills comes before .gemini/skills"],
    reads: {
      fields: NAMED,
      needs: NAMED,
      repairs: true,
      depth: 1,
      source: "google-gemini/gemini-cli packages/core/src/skills/skillLoader.ts",
      date: DATE,
    },
    source: "geminicli.com/docs/cli/using-agent-skills",
    verified: true,
    date: DATE,
  },
  {
    id: "opencode",
    name: "OpenCode",
    project: [SHARED, ".opencode/skills", ".claude/skills"],
    user: ".config/opencode/skills",
    marks: [".config/opencode"],
    descriptionCharacters: 1024,
    quirks: ["ignores unknown fields of the frontmatter"],
    reads: {
      fields: DOCUMENTED,
      needs: NAMED,
      strictName: true,
      maxDescription: 1024,
      depth: 1,
      source: "opencode.ai/docs/skills",
      date: DATE,
    },
    source: "opencode.ai/docs/skills",
    verified: true,
    date: DATE,
  },
  {
    id: "goose",
    name: "Goose",
    project: [SHARED, ".goose/skills", ".claude/skills"],
    user: SHARED,
    marks: [".config/goose"],
    reads: {
      fields: NAMED,
      needs: NAMED,
      depth: 1,
      source: "block/goose documentation/docs/guides/context-engineering/using-skills.md",
      date: DATE,
    },
    source: "block/goose documentation/docs/guides/context-engineering/using-skills.md",
    verified: true,
    date: DATE,
  },
  {
    id: "windsurf",
    name: "Windsurf",
    project: [".windsurf/skills"],
    user: ".codeium/windsurf/skills",
    marks: [".codeium/windsurf"],
    source: "docs.windsurf.com/windsurf/cascade/skills",
    verified: true,
    date: DATE,
  },
  {
    id: "amp",
    name: "Amp",
    project: [SHARED],
    user: ".config/agents/skills",
    marks: [".config/amp"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "antigravity",
    name: "Antigravity",
    project: [SHARED],
    user: ".gemini/antigravity/skills",
    marks: [".gemini/antigravity"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "augment",
    name: "Augment",
    project: [".augment/skills"],
    user: ".augment/skills",
    marks: [".augment"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "cline",
    name: "Cline",
    project: [SHARED, ".cline/skills", ".clinerules/skills", ".claude/skills"],
    user: SHARED,
    marks: [".cline"],
    reads: {
      fields: NAMED,
      needs: NAMED,
      strictName: true,
      maxDescription: 1024,
      depth: 1,
      source: "cline/cline docs/customization/skills.mdx",
      date: DATE,
    },
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "codebuddy",
    name: "CodeBuddy",
    project: [".codebuddy/skills"],
    user: ".codebuddy/skills",
    marks: [".codebuddy"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "continue",
    name: "Continue",
    project: [".continue/skills"],
    user: ".continue/skills",
    marks: [".continue"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "crush",
    name: "Crush",
    project: [".crush/skills"],
    user: ".config/crush/skills",
    marks: [".config/crush"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "devin",
    name: "Devin for Terminal",
    project: [".devin/skills"],
    user: ".config/devin/skills",
    marks: [".config/devin"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "droid",
    name: "Droid",
    project: [SHARED, ".factory/skills"],
    user: ".factory/skills",
    marks: [".factory"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "forgecode",
    name: "ForgeCode",
    project: [".forge/skills"],
    user: ".forge/skills",
    marks: [".forge"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "grok",
    name: "Grok Build",
    project: [".grok/skills"],
    user: ".grok/skills",
    marks: [".grok"],
    movedBy: "GROK_HOME",
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "hermes-agent",
    name: "Hermes Agent",
    project: [".hermes/skills"],
    user: ".hermes/skills",
    marks: [".hermes"],
    movedBy: "HERMES_HOME",
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "junie",
    name: "Junie",
    project: [".junie/skills"],
    user: ".junie/skills",
    marks: [".junie"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "kilo",
    name: "Kilo Code",
    project: [SHARED],
    user: ".kilo/skills",
    marks: [".kilo", ".kilocode"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "kimi-code-cli",
    name: "Kimi Code CLI",
    project: [SHARED],
    user: SHARED,
    marks: [".kimi-code", ".kimi"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "kiro-cli",
    name: "Kiro CLI",
    project: [".kiro/skills"],
    user: ".kiro/skills",
    marks: [".kiro"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "openclaw",
    name: "OpenClaw",
    project: ["skills"],
    user: ".openclaw/skills",
    marks: [".openclaw", ".clawdbot", ".moltbot"],
    quirks: ["metadata is one line of JSON with a key openclaw"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "qwen-code",
    name: "Qwen Code",
    project: [".qwen/skills"],
    user: ".qwen/skills",
    marks: [".qwen"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "roo",
    name: "Roo Code",
    project: [".roo/skills"],
    user: ".roo/skills",
    marks: [".roo"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "trae",
    name: "Trae",
    project: [".trae/skills"],
    user: ".trae/skills",
    marks: [".trae"],
    source: TABLE,
    verified: false,
    date: DATE,
  },
  {
    id: "skillwright",
    name: "Skillwright",
    project: [".agent/skills", SHARED, ".claude/skills"],
    user: ".agent/skills",
    marks: [".agent"],
    source: "docs/packs.md",
    verified: true,
    date: DATE,
  },
];

/** The client of this name, or undefined. */
export function clientOf(id: string): Client | undefined {
  return CLIENTS.find((client) => client.id === id.toLowerCase());
}

/** A folder of the client, which starts below the home folder unless its variable moves it. */
export function clientFolder(
  { marks, movedBy }: Client,
  folder: string,
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const [own = ""] = marks;
  const moved = movedBy === undefined ? undefined : env[movedBy]?.trim();
  const isOwn = folder === own || folder.startsWith(`${own}/`);
  return moved && isOwn ? join(moved, folder.slice(own.length)) : join(home, folder);
}
