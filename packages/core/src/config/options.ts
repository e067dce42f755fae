import type { Severity } from "../format/diagnostic.ts";

/**
 * The effective configuration. Every option is there; one that nothing sets is undefined. Paths are
 * as they were written: relative ones count from the project, `~` is the home directory.
 *
 * Names are those of the founding documents, so some are snake_case.
 */
export interface Configuration {
  /** Roots that replace the default project and user roots. */
  readonly skill_roots: readonly string[] | undefined;
  readonly trust: TrustOptions;
  readonly skillTools: SkillToolOptions;
  readonly workspace: WorkspaceOptions;
  readonly model: ModelOptions;
  readonly execution: ExecutionOptions;
  readonly policy: PolicyOptions;
  readonly approvals: ApprovalOptions;
  readonly runs: RetentionOptions;
  readonly packs: PackOptions;
  readonly security: SecurityOptions;
  readonly lint: LintRuleOptions;
  /** Skills that are installed but not used. */
  readonly disabledSkills: readonly string[];
  /** Servers whose skills and tools are used, by label; read by the package that starts them. */
  readonly mcpServers: Readonly<Record<string, McpServerOptions>>;
}

/** One server, in the shape that other clients use. Either a program or an address. */
interface McpServerOptions {
  /** A program, started without a shell. */
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** All that the program gets to know besides PATH, HOME and the like. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  /** Of a server that is asked over HTTP: `https:`, or this machine. */
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Says nothing that `command` or `url` does not; accepted because other clients write it. */
  readonly type?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** Its skills count as trusted, whatever they become. */
  readonly trust?: boolean | undefined;
  /** Whether its skills are used. */
  readonly skills?: boolean | undefined;
  /** Whether its tools are offered: all, none, or these. */
  readonly tools?: boolean | readonly string[] | undefined;
  /** Tools that may be believed to only read when the server says so: all, or these. */
  readonly readOnlyTools?: boolean | readonly string[] | undefined;
  /** How long one call of a tool may take. */
  readonly timeoutSeconds?: number | undefined;
}

interface TrustOptions {
  /** Folders whose skills are trusted without asking. */
  readonly roots: readonly string[] | undefined;
}

/** The `AgentSkills` section. */
interface SkillToolOptions {
  readonly enableUserSkills: boolean;
  readonly enableProjectSkills: boolean;
  /** Replaces the default user roots. */
  readonly userSkillsDir: string | undefined;
  /** Replaces the default project roots. */
  readonly projectSkillsDir: string | undefined;
  /** One more root. */
  readonly dataDir: string | undefined;
  readonly cacheSkills: boolean;
  readonly validateOnStartup: boolean;
  readonly skillsCacheDurationSeconds: number;
  readonly enableReadSkillTool: boolean;
  readonly enableReadFileTool: boolean;
  readonly enableListDirectoryTool: boolean;
  readonly maxOutputSizeBytes: number;
}

/** The `RuntimeOptions` section, but for its `ExecutionPolicy`, which is `execution`. */
interface WorkspaceOptions {
  readonly workingDirectory: string;
  /** Named loading: once this or `skillNames` is given, exactly the skills named are loaded. */
  readonly skillsDirectory: string | undefined;
  readonly skillNames: readonly string[] | undefined;
  readonly enableReadFile: boolean;
  readonly enableWriteFile: boolean;
  readonly enableListDirectory: boolean;
  readonly enableSearchFiles: boolean;
  readonly enableRunCommand: boolean;
  readonly enableReadSkill: boolean;
  readonly maxFileSizeBytes: number;
  readonly commandTimeoutSeconds: number;
  readonly maxOutputSizeBytes: number;
}

interface ModelOptions {
  readonly provider: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  /** What models cost where no list says so, by `provider:name`; `*` stands for anything. */
  readonly prices: ModelPrices;
}

type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** US dollars per million tokens. */
interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of the input, what comes from the provider's cache, and what is put there. */
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

interface ExecutionOptions {
  /** Tools that always ask. */
  readonly require_approval_for: readonly string[];
  /** "auto" is the backend of this platform. */
  readonly sandbox: "auto" | "bubblewrap" | "sandbox-runtime" | "none";
  /** Hosts that scripts and `network_request` may reach. */
  readonly domains: readonly string[];
  /** Folders below the working directory in which changes of scripts are kept without asking. */
  readonly writable: readonly string[];
  /** A Python environment whose modules scripts may use. */
  readonly virtualEnvironment: string | undefined;
  /** Scripts get a new empty working directory, which is gone afterwards. */
  readonly freshDirectory: boolean;
  /** Of each process of a script. */
  readonly memoryBytes: number;
  /** Of each process of a script. */
  readonly cpuSeconds: number;
  /** Processes and threads of a script together. */
  readonly processes: number;
}

/** Rules are texts such as `Read`, `Bash(git:*)` or `WebFetch(domain:example.com)`. */
interface PolicyOptions {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** How `allowed-tools` of a skill is read. */
  readonly allowedTools: "ask" | "restrict" | "grant" | "ignore";
  readonly denySecretReads: boolean;
  // Not in `workspace`, whose keys are those of a founding document.
  readonly enableDeleteFile: boolean;
  readonly enableNetworkRequest: boolean;
  /** Risk classes that differ from the usual ones, by the name of the tool. */
  readonly risks: RiskOptions;
}

export type RiskOptions = Readonly<Record<string, "low" | "medium" | "high">>;

interface ApprovalOptions {
  /** An approval counts only when it is given at a terminal. */
  readonly terminalOnly: boolean;
}

interface SecurityOptions {
  readonly max_skill_body_lines: number;
  readonly block_angle_brackets_in_frontmatter: boolean;
}

export interface LintRuleOptions {
  /** A severity per rule code. */
  readonly rules: Readonly<Record<string, Severity | "off">>;
}

/** Which records of runs are kept; without any of these, all are. */
interface RetentionOptions {
  /** So many, the newest. */
  readonly keep: number | undefined;
  /** Those that are no older than so many days. */
  readonly keepDays: number | undefined;
}

/** What is asked of skills before they are installed. */
interface PackOptions {
  /** Public keys, fingerprints, or files that hold such. */
  readonly trustedKeys: readonly string[];
  /** Refuse what is not signed with one of them. */
  readonly requireSignature: boolean;
  /** Findings of the scan from this severity on refuse. */
  readonly failOn: FailOn;
  readonly limits: PackLimitOptions;
}

export type FailOn = "low" | "medium" | "high" | "critical" | "never";

/** Of one pack; `bytes` is unpacked. */
export type PackLimitOptions = Readonly<
  Partial<Record<"files" | "bytes" | "archiveBytes", number>>
>;

/** Some of the options, as flags give them. */
export type ConfigurationInput = {
  readonly [K in keyof Configuration]?: K extends Section
    ? { readonly [O in keyof Configuration[K]]?: Configuration[K][O] | undefined }
    : Configuration[K] | undefined;
};

export type Section =
  | "trust"
  | "skillTools"
  | "workspace"
  | "model"
  | "execution"
  | "policy"
  | "approvals"
  | "runs"
  | "packs"
  | "security"
  | "lint";

export const DEFAULTS: Configuration = {
  skill_roots: undefined,
  trust: { roots: undefined },
  skillTools: {
    enableUserSkills: true,
    enableProjectSkills: true,
    userSkillsDir: undefined,
    projectSkillsDir: undefined,
    dataDir: undefined,
    cacheSkills: true,
    validateOnStartup: true,
    skillsCacheDurationSeconds: 300,
    enableReadSkillTool: true,
    enableReadFileTool: true,
    enableListDirectoryTool: true,
    maxOutputSizeBytes: 51_200,
  },
  workspace: {
    workingDirectory: ".",
    skillsDirectory: undefined,
    skillNames: undefined,
    enableReadFile: true,
    enableWriteFile: true,
    enableListDirectory: true,
    enableSearchFiles: true,
    enableRunCommand: false,
    enableReadSkill: true,
    maxFileSizeBytes: 10 * 1024 * 1024,
    commandTimeoutSeconds: 60,
    maxOutputSizeBytes: 102_400,
  },
  model: { provider: undefined, params: {}, prices: {} },
  execution: {
    require_approval_for: ["write_file", "run_script", "network"],
    sandbox: "auto",
    domains: [],
    writable: [],
    virtualEnvironment: undefined,
    freshDirectory: false,
    memoryBytes: 2048 * 1024 * 1024,
    cpuSeconds: 120,
    processes: 128,
  },
  policy: {
    allow: [],
    ask: [],
    deny: [],
    allowedTools: "ask",
    denySecretReads: false,
    enableDeleteFile: false,
    enableNetworkRequest: false,
    risks: {},
  },
  approvals: { terminalOnly: false },
  runs: { keep: undefined, keepDays: undefined },
  packs: {
    trustedKeys: [],
    requireSignature: false,
    failOn: "critical",
    limits: { files: 2000, bytes: 50 * 1024 * 1024, archiveBytes: 50 * 1024 * 1024 },
  },
  security: { max_skill_body_lines: 500, block_angle_brackets_in_frontmatter: true },
  lint: { rules: {} },
  disabledSkills: [],
  mcpServers: {},
};
