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
  /** Characters of a description that the catalog shows; absent: what the specification allows. */
  readonly descriptionCharacters?: number;
  /** What the catalog of all skills may take, as its documentation says it. */
  readonly catalogBudget?: string;
  /** Fields of the frontmatter that it reads beyond the specification. */
  readonly fields?: readonly string[];
  /** What else differs from the specification. */
  readonly quirks?: readonly string[];
  /** Where this was read, and when. */
  readonly source: string;
  readonly date: string;
}

const TABLE = "vercel-labs/skills src/agents.ts";
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
    descriptionCharacters: 1536,
    catalogBudget: "1 % of the context, 4 characters a token",
    fields: [
      "allowed-tools",
      "argument-hint",
      "disable-model-invocation",
      "user-invocable",
      "model",
      "context",
      "agent",
      "hooks",
      "paths",
      "when_to_use",
    ],
    quirks: ["allowed-tools is granted without regard to workspace trust"],
    source: "code.claude.com/docs/en/skills",
    date: "2026-08-31",
  },
  {
    id: "codex",
    name: "Codex",
    project: [SHARED],
    user: ".codex/skills",
    marks: [".codex"],
    catalogBudget:
      "2 % of the context or 8,000 characters; descriptions are shortened, then left out",
    quirks: ["reads further fields from agents/openai.yaml beside SKILL.md"],
    source: `${TABLE}; openai/codex codex-rs/core-skills`,
    date: DATE,
  },
  {
    id: "cursor",
    name: "Cursor",
    project: [SHARED, ".cursor/skills"],
    user: ".cursor/skills",
    marks: [".cursor"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "github-copilot",
    name: "GitHub Copilot",
    project: [SHARED, ".github/skills"],
    user: ".copilot/skills",
    marks: [".copilot"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "gemini-cli",
    name: "Gemini CLI",
    project: [SHARED, ".gemini/skills"],
    user: ".gemini/skills",
    marks: [".gemini"],
    quirks: ["asks before each activation"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "amp",
    name: "Amp",
    project: [SHARED],
    user: ".config/agents/skills",
    marks: [".config/amp"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "antigravity",
    name: "Antigravity",
    project: [SHARED],
    user: ".gemini/antigravity/skills",
    marks: [".gemini/antigravity"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "augment",
    name: "Augment",
    project: [".augment/skills"],
    user: ".augment/skills",
    marks: [".augment"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "cline",
    name: "Cline",
    project: [SHARED],
    user: SHARED,
    marks: [".cline"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "codebuddy",
    name: "CodeBuddy",
    project: [".codebuddy/skills"],
    user: ".codebuddy/skills",
    marks: [".codebuddy"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "continue",
    name: "Continue",
    project: [".continue/skills"],
    user: ".continue/skills",
    marks: [".continue"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "crush",
    name: "Crush",
    project: [".crush/skills"],
    user: ".config/crush/skills",
    marks: [".config/crush"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "devin",
    name: "Devin for Terminal",
    project: [".devin/skills"],
    user: ".config/devin/skills",
    marks: [".config/devin"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "droid",
    name: "Droid",
    project: [SHARED, ".factory/skills"],
    user: ".factory/skills",
    marks: [".factory"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "forgecode",
    name: "ForgeCode",
    project: [".forge/skills"],
    user: ".forge/skills",
    marks: [".forge"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "goose",
    name: "Goose",
    project: [".goose/skills"],
    user: ".config/goose/skills",
    marks: [".config/goose"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "grok",
    name: "Grok Build",
    project: [".grok/skills"],
    user: ".grok/skills",
    marks: [".grok"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "hermes-agent",
    name: "Hermes Agent",
    project: [".hermes/skills"],
    user: ".hermes/skills",
    marks: [".hermes"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "junie",
    name: "Junie",
    project: [".junie/skills"],
    user: ".junie/skills",
    marks: [".junie"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "kilo",
    name: "Kilo Code",
    project: [SHARED],
    user: ".kilo/skills",
    marks: [".kilo", ".kilocode"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "kimi-code-cli",
    name: "Kimi Code CLI",
    project: [SHARED],
    user: SHARED,
    marks: [".kimi-code", ".kimi"],
    source: TABLE,
    date: DATE,
  },
  {
    id: "kiro-cli",
    name: "Kiro CLI",
    project: [".kiro/skills"],
    user: ".kiro/skills",
    marks: [".kiro"],
    source: TABLE,
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
    date: DATE,
  },
  {
    id: "skillwright",
    name: "Skillwright",
    project: [".agent/skills"],
    user: ".agent/skills",
    marks: [".agent"],
    source: "docs/packs.md",
    date: DATE,
  },
];

/** The client of this name, or undefined. */
export function clientOf(id: string): Client | undefined {
  return CLIENTS.find((client) => client.id === id.toLowerCase());
}
