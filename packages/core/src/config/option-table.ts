import { DOMAIN } from "./domain-pattern.ts";
import {
  anything,
  dollars,
  either,
  flag,
  integer,
  type Kind,
  list,
  object,
  oneOf,
  record,
  recordOf,
  text,
} from "./kinds.ts";
import {
  insideHeldFolder,
  insideProject,
  type Narrowing,
  onlyDomainsCovered,
  onlyFalse,
  onlyFewer,
  onlyFoldersCovered,
  onlyHigherRisks,
  onlyLessOfServers,
  onlyMore,
  onlyMoreApprovals,
  onlySmaller,
  onlySmallerPacks,
  onlyStricterReading,
  onlyStricterSandbox,
  onlyStricterScan,
  onlyTrue,
  refuse,
  rootsInsideProject,
  safetyRulesOnlyStricter,
} from "./narrowing.ts";

/** One row of the table below. */
export interface Option<Value, Held = Value> extends OptionTraits {
  readonly kind: Kind<Value>;
  readonly default: Held;
  /** What a project's own configuration may set it to. */
  readonly project: Narrowing<Value, Held>;
  readonly description: string;
}

interface OptionTraits {
  /** Its entries come together from all layers instead of replacing each other. */
  readonly isMerged?: true;
  /** It may hold secrets, so that its value is never printed with a problem. */
  readonly isSecretive?: true;
  /** Its texts are tool rules, which permit something or restrict it. */
  readonly rules?: "permit" | "restrict";
}

/** Without a default, the option is undefined until something sets it. */
function option<Value, const Default extends Value | undefined>(
  kind: Kind<Value>,
  value: Default,
  project: NoInfer<Narrowing<Value, undefined extends Default ? Value | undefined : Value>>,
  description: string,
  traits?: OptionTraits,
): Option<Value, undefined extends Default ? Value | undefined : Value>;
function option<Value>(
  kind: Kind<Value>,
  value: Value,
  project: Narrowing<Value>,
  description: string,
  traits: OptionTraits = {},
): Option<Value> {
  return { kind, default: value, project, description, ...traits };
}

const MEBIBYTE = 1024 * 1024;
/** As the founding documents have them: 32-bit integers. */
const MAX_INTEGER = 2 ** 31 - 1;
const DAY_SECONDS = 86_400;
const MAX_BYTES = 2 ** 40;
/** The most that Linux can count. */
const MAX_PROCESSES = 2 ** 22;
const MAX_DOMAINS = 500;

const domain = text({
  maxLength: 253,
  pattern: DOMAIN,
  expected: "must be a domain such as example.com, *.example.com or a.com:8443",
});

/** No relative path: it would count from a project, which could then bring the key. */
const key = text({
  maxLength: 4096,
  pattern: /^(?:(?:sk-)?ssh-\S+ |SHA256:|-----BEGIN |~?\/|[a-z]:[\\/])/i,
  expected: "must be a public key, a fingerprint, or a file by its whole path or from ~/",
});

/** US dollars per million tokens. */
const price = object(
  { input: dollars, output: dollars },
  // Of the input, what comes from the provider's cache, and what is put there.
  { cacheRead: dollars, cacheWrite: dollars },
  "refuse",
);

const allOrThese = either(flag, list(text()), "must be true, false or a list of names");

/** An MCP server in the shape that other clients use: either a program or an address. */
export const serverKind = object(
  {},
  {
    /** A program, started without a shell. */
    command: text(),
    args: list(text({})),
    /** All that the program sees besides PATH, HOME and the like. */
    env: record(text({})),
    cwd: text(),
    /** Of a server that is asked over HTTP: `https:`, or this machine. */
    url: text(),
    headers: record(text({})),
    /** Adds nothing to `command` or `url`; accepted because other clients write it. */
    type: text({}),
    disabled: flag,
    /** Its skills count as trusted, whatever they become. */
    trust: flag,
    /** Whether its skills are used. */
    skills: flag,
    /** Which of its tools are offered. */
    tools: allOrThese,
    /** Tools that only read if the server says so. */
    readOnlyTools: allOrThese,
    /** How long one call of a tool may take. */
    timeoutSeconds: integer(1, 600),
  },
  "drop",
);

/**
 * Every option with its type, default, what a project may set it to, and description. Types,
 * validation, the JSON schema and the page of the documentation come from this table. Names are
 * those of the founding documents, so some are snake_case.
 */
export const OPTIONS = {
  skill_roots: option(
    list(text()),
    undefined,
    rootsInsideProject,
    "Folders of skills, highest precedence first. Replaces the default project and user roots.",
  ),
  "trust.roots": option(
    list(text()),
    undefined,
    refuse("only the user decides what is trusted"),
    "Folders whose skills are trusted without asking.",
  ),
  "skillTools.enableUserSkills": option(flag, true, onlyFalse, "Use the skills of the user."),
  "skillTools.enableProjectSkills": option(flag, true, onlyFalse, "Use the skills of the project."),
  "skillTools.userSkillsDir": option(
    text(),
    undefined,
    refuse("only the user decides where their own skills are"),
    "Folder that replaces the default user roots.",
  ),
  "skillTools.projectSkillsDir": option(
    text(),
    undefined,
    insideProject,
    "Folder that replaces the default project roots.",
  ),
  "skillTools.dataDir": option(text(), undefined, insideProject, "One more folder of skills."),
  "skillTools.cacheSkills": option(
    flag,
    true,
    onlyFalse,
    "Keep metadata and bodies in memory and on disk.",
  ),
  "skillTools.validateOnStartup": option(
    flag,
    true,
    onlyTrue,
    "Report what is wrong with skills as soon as they are loaded.",
  ),
  "skillTools.skillsCacheDurationSeconds": option(
    integer(0, MAX_INTEGER),
    300,
    onlySmaller,
    "How long a cached skill is used without looking at its file.",
  ),
  "skillTools.enableReadSkillTool": option(
    flag,
    true,
    onlyFalse,
    "Offer the tool that activates a skill.",
  ),
  "skillTools.enableReadFileTool": option(
    flag,
    true,
    onlyFalse,
    "Offer the tool that reads a file of a skill.",
  ),
  "skillTools.enableListDirectoryTool": option(
    flag,
    true,
    onlyFalse,
    "Offer the tool that lists the files of a skill.",
  ),
  "skillTools.maxOutputSizeBytes": option(
    integer(1, MAX_INTEGER),
    51_200,
    onlySmaller,
    "The largest answer of a skill tool.",
  ),
  "workspace.workingDirectory": option(
    text(),
    ".",
    refuse("only the user decides where the tools work"),
    "Folder that the workspace tools are confined to, counted from the project.",
  ),
  "workspace.skillsDirectory": option(
    text({}),
    undefined,
    insideHeldFolder,
    "Named loading: the one folder that skills are loaded from. An empty text loads nothing.",
  ),
  "workspace.skillNames": option(
    list(text({})),
    undefined,
    onlyFewer,
    "Named loading: the skills to load, in this order. An empty list loads nothing.",
  ),
  "workspace.enableReadFile": option(flag, true, onlyFalse, "Offer read_file."),
  "workspace.enableWriteFile": option(
    flag,
    true,
    onlyFalse,
    "Offer write_file and edit_file; policy asks before each use.",
  ),
  "workspace.enableListDirectory": option(flag, true, onlyFalse, "Offer list_directory."),
  "workspace.enableSearchFiles": option(flag, true, onlyFalse, "Offer search_files."),
  "workspace.enableRunCommand": option(
    flag,
    false,
    onlyFalse,
    "Offer run_command; policy asks before each use. `run` and `chat` offer it where there is a sandbox, unless this is set to false.",
  ),
  "workspace.enableReadSkill": option(flag, true, onlyFalse, "Offer read_skill."),
  "workspace.maxFileSizeBytes": option(
    integer(1, MAX_INTEGER),
    10 * MEBIBYTE,
    onlySmaller,
    "The largest file that a workspace tool reads or writes.",
  ),
  "workspace.commandTimeoutSeconds": option(
    integer(1, DAY_SECONDS),
    60,
    onlySmaller,
    "When a command and everything it started is ended.",
  ),
  "workspace.maxOutputSizeBytes": option(
    integer(1, MAX_INTEGER),
    102_400,
    onlySmaller,
    "The largest answer of a workspace tool.",
  ),
  "model.provider": option(
    text(),
    undefined,
    refuse("only the user decides which model is asked"),
    "The provider of the model.",
  ),
  "model.params": option(
    record(anything),
    {},
    refuse("only the user decides what a model's provider is given"),
    "Parameters for the provider.",
    { isSecretive: true },
  ),
  "model.prices": option(
    record(price),
    {},
    refuse("only the user decides what a model costs"),
    'What models cost, in US dollars per million tokens: `{ "input": 1, "output": 2 }` by `provider:name`, where `*` matches anything.',
    { isMerged: true },
  ),
  "execution.require_approval_for": option(
    list(text()),
    ["write_file", "run_script", "network"],
    onlyMoreApprovals,
    "Tools that always ask.",
    { rules: "restrict" },
  ),
  "execution.sandbox": option(
    oneOf("auto", "bubblewrap", "sandbox-runtime", "none"),
    "auto",
    onlyStricterSandbox,
    'Where scripts run: in the sandbox of this platform ("auto"), in "bubblewrap", in "sandbox-runtime", or in "none".',
  ),
  "execution.domains": option(
    list(domain, MAX_DOMAINS),
    [],
    onlyDomainsCovered,
    "Domains that scripts and network_request may reach.",
  ),
  "execution.writable": option(
    list(text()),
    [],
    onlyFoldersCovered,
    "Folders below the working directory in which changes of scripts are kept without asking.",
  ),
  "execution.virtualEnvironment": option(
    text(),
    undefined,
    refuse("only the user decides what else scripts run"),
    "Folder of a Python environment whose modules scripts may use.",
  ),
  "execution.freshDirectory": option(
    flag,
    false,
    onlyTrue,
    "Give scripts a new empty working directory, which is gone afterwards.",
  ),
  "execution.memoryBytes": option(
    integer(1, MAX_BYTES),
    2048 * MEBIBYTE,
    onlySmaller,
    "The most memory that each process of a script gets.",
  ),
  "execution.cpuSeconds": option(
    integer(1, DAY_SECONDS),
    120,
    onlySmaller,
    "The most processor time that each process of a script gets.",
  ),
  "execution.processes": option(
    integer(1, MAX_PROCESSES),
    128,
    onlySmaller,
    "The most processes and threads that a script has at once.",
  ),
  "execution.networkBytes": option(
    integer(1, MAX_BYTES),
    1024 * MEBIBYTE,
    onlySmaller,
    "The most that a script sends to and receives from its domains, together.",
  ),
  "policy.allow": option(
    list(text()),
    [],
    onlyFewer,
    "Rules for what is allowed without asking, unless another rule asks or denies.",
    { rules: "permit" },
  ),
  "policy.ask": option(list(text()), [], onlyMore, "Rules for what always asks.", {
    rules: "restrict",
  }),
  "policy.deny": option(list(text()), [], onlyMore, "Rules for what never happens.", {
    rules: "restrict",
  }),
  "policy.allowedTools": option(
    oneOf("ask", "restrict", "grant", "ignore"),
    "ask",
    onlyStricterReading,
    'What allowed-tools of a skill mean: "ask" (nothing else on its behalf; other calls ask when no active skill lists the tool), "restrict" (other calls are denied as well), "grant" (as "ask", and approved beforehand if the skill is trusted) or "ignore".',
  ),
  "policy.denySecretReads": option(
    flag,
    false,
    onlyTrue,
    "Never read files that hold secrets, such as .env and private keys, instead of asking.",
  ),
  "policy.enableDeleteFile": option(
    flag,
    false,
    onlyFalse,
    "Offer delete_file; policy asks before each use.",
  ),
  "policy.enableNetworkRequest": option(
    flag,
    false,
    onlyFalse,
    "Offer network_request; policy asks before each use.",
  ),
  "policy.risks": option(
    record(oneOf("low", "medium", "high")),
    {},
    onlyHigherRisks,
    "A risk class per tool, where it is not the usual one.",
    { isMerged: true },
  ),
  "approvals.terminalOnly": option(
    flag,
    false,
    onlyTrue,
    "Count only approvals that are given at a terminal.",
  ),
  "runs.keep": option(
    integer(1, MAX_INTEGER),
    undefined,
    refuse("only the user decides which records are kept"),
    "How many records to keep of a project's runs, and as many of its single calls. The next one removes older ones.",
  ),
  "runs.keepDays": option(
    integer(1, 36_500),
    undefined,
    refuse("only the user decides which records are kept"),
    "How many days to keep the records of runs and single calls.",
  ),
  "packs.trustedKeys": option(
    list(key),
    [],
    refuse("only the user decides whose signature counts"),
    "Keys that may sign packs: public keys (`ssh-ed25519 AAAA…`), fingerprints (`SHA256:…`), or files that hold such.",
  ),
  "packs.revokedKeys": option(
    list(key),
    [],
    refuse("only the user decides whose signature counts"),
    "Keys whose signatures no longer count: what they signed is not installed and fails `verify`.",
  ),
  "packs.requireSignature": option(
    flag,
    false,
    onlyTrue,
    "Install only what is signed with one of the trusted keys.",
  ),
  "packs.failOn": option(
    oneOf("low", "medium", "high", "critical", "never"),
    "high",
    onlyStricterScan,
    "Refuse to install what the scan finds from this severity on. `high` and `critical` look at malicious intent alone; `low` and `medium` also refuse code that is merely dangerous.",
  ),
  "packs.limits": option(
    recordOf(["files", "bytes", "archiveBytes"], integer(1, MAX_BYTES)),
    { files: 2000, bytes: 50 * MEBIBYTE, archiveBytes: 50 * MEBIBYTE },
    onlySmallerPacks,
    "The most that one pack may hold: `files`, `bytes` unpacked, and `archiveBytes`.",
    { isMerged: true },
  ),
  "security.max_skill_body_lines": option(
    integer(1, MAX_INTEGER),
    500,
    onlySmaller,
    "Lines of a skill's body above which it is reported as too long.",
  ),
  "security.block_angle_brackets_in_frontmatter": option(
    flag,
    true,
    onlyTrue,
    "Keep skills from models that have < or > in their frontmatter.",
  ),
  "lint.rules": option(
    record(oneOf("error", "warning", "info", "off")),
    {},
    safetyRulesOnlyStricter,
    "A severity per rule code.",
    { isMerged: true },
  ),
  disabledSkills: option(list(text()), [], onlyMore, "Skills that are installed but not used."),
  mcpServers: option(
    record(serverKind),
    {},
    onlyLessOfServers,
    "MCP servers whose skills and tools are used, by name.",
    { isMerged: true, isSecretive: true },
  ),
};
