import * as z from "zod/mini";
import { DOMAIN } from "./domain-pattern.ts";
import type { OptionPath, OptionValue } from "./option-path.ts";

/** What may stand at an option in a file, and what it is for. */
interface OptionSchema<Value> {
  readonly schema: z.ZodMiniType<Value>;
  readonly description: string;
}

type Given<P extends OptionPath> = Exclude<OptionValue<P>, undefined>;

/** As the founding documents have them: 32-bit integers. */
const MAX_BYTES = 2 ** 31 - 1;
const DAY_SECONDS = 86_400;
const MAX_MEMORY_BYTES = 2 ** 40;
/** What Linux counts to. */
const MAX_PROCESSES = 2 ** 22;
const MAX_DOMAINS = 500;
const MAX_NAME_LENGTH = 253;
const MAX_PACK_BYTES = 2 ** 40;
const MAX_KEY_LENGTH = 4096;
const MAX_TOOL_SECONDS = 600;
/** No relative path: it would count from a project, which could then bring the key. */
const KEY = /^(?:(?:sk-)?ssh-\S+ |SHA256:|-----BEGIN |~?\/|[a-z]:[\\/])/i;

/** One of `mcpServers`. */
export const serverSchema = z.object({
  command: z.optional(text()),
  args: z.optional(z.array(z.string())),
  env: z.optional(z.record(z.string(), z.string())),
  cwd: z.optional(text()),
  url: z.optional(text()),
  headers: z.optional(z.record(z.string(), z.string())),
  type: z.optional(z.string()),
  disabled: z.optional(z.boolean()),
  trust: z.optional(z.boolean()),
  skills: z.optional(z.boolean()),
  tools: z.optional(z.union([z.boolean(), texts()], "must be true, false or a list of names")),
  readOnlyTools: z.optional(
    z.union([z.boolean(), texts()], "must be true, false or a list of names"),
  ),
  timeoutSeconds: z.optional(integer(1, MAX_TOOL_SECONDS)),
});

/** The one definition of all options: validation, JSON schema and help texts come from it. */
export const optionSchemas = {
  skill_roots: option(
    texts(),
    "Folders of skills, highest precedence first. Replaces the default project and user roots.",
  ),
  "trust.roots": option(texts(), "Folders whose skills are trusted without asking."),
  "skillTools.enableUserSkills": option(z.boolean(), "Use the skills of the user."),
  "skillTools.enableProjectSkills": option(z.boolean(), "Use the skills of the project."),
  "skillTools.userSkillsDir": option(text(), "Folder that replaces the default user roots."),
  "skillTools.projectSkillsDir": option(text(), "Folder that replaces the default project roots."),
  "skillTools.dataDir": option(text(), "One more folder of skills."),
  "skillTools.cacheSkills": option(z.boolean(), "Keep metadata and bodies in memory and on disk."),
  "skillTools.validateOnStartup": option(
    z.boolean(),
    "Report what is wrong with skills as soon as they are loaded.",
  ),
  "skillTools.skillsCacheDurationSeconds": option(
    integer(0, MAX_BYTES),
    "How long a cached skill is used without looking at its file.",
  ),
  "skillTools.enableReadSkillTool": option(z.boolean(), "Offer the tool that activates a skill."),
  "skillTools.enableReadFileTool": option(
    z.boolean(),
    "Offer the tool that reads a file of a skill.",
  ),
  "skillTools.enableListDirectoryTool": option(
    z.boolean(),
    "Offer the tool that lists the files of a skill.",
  ),
  "skillTools.maxOutputSizeBytes": option(
    integer(1, MAX_BYTES),
    "The most that one call of a skill tool answers.",
  ),
  "workspace.workingDirectory": option(
    text(),
    "Folder that the workspace tools are confined to, counted from the project.",
  ),
  "workspace.skillsDirectory": option(
    z.string(),
    "Named loading: the one folder that skills are loaded from. An empty text loads nothing.",
  ),
  "workspace.skillNames": option(
    z.array(z.string()),
    "Named loading: the skills to load, in this order. An empty list loads nothing.",
  ),
  "workspace.enableReadFile": option(z.boolean(), "Offer read_file."),
  "workspace.enableWriteFile": option(
    z.boolean(),
    "Offer write_file and edit_file; policy asks before each use.",
  ),
  "workspace.enableListDirectory": option(z.boolean(), "Offer list_directory."),
  "workspace.enableSearchFiles": option(z.boolean(), "Offer search_files."),
  "workspace.enableRunCommand": option(
    z.boolean(),
    "Offer run_command; policy asks before each use. `run` and `chat` offer it where there is a sandbox, unless this is set to false.",
  ),
  "workspace.enableReadSkill": option(z.boolean(), "Offer read_skill."),
  "workspace.maxFileSizeBytes": option(
    integer(1, MAX_BYTES),
    "The largest file that a workspace tool reads or writes.",
  ),
  "workspace.commandTimeoutSeconds": option(
    integer(1, DAY_SECONDS),
    "When a command and everything it started is ended.",
  ),
  "workspace.maxOutputSizeBytes": option(
    integer(1, MAX_BYTES),
    "The most that one call of a workspace tool answers.",
  ),
  "model.provider": option(text(), "Who answers: a provider's name."),
  "model.params": option(z.record(z.string(), z.unknown()), "What the provider is given."),
  "model.prices": option(
    z.record(
      z.string(),
      z.strictObject({
        input: dollars(),
        output: dollars(),
        cacheRead: z.optional(dollars()),
        cacheWrite: z.optional(dollars()),
      }),
    ),
    'What models cost, in US dollars per million tokens: `{ "input": 1, "output": 2 }` by `provider:name`, where `*` stands for anything.',
  ),
  "execution.require_approval_for": option(texts(), "Tools that always ask."),
  "execution.sandbox": option(
    z.enum(["auto", "bubblewrap", "sandbox-runtime", "none"]),
    'Where scripts run: in the sandbox of this platform ("auto"), in "bubblewrap", in "sandbox-runtime", or in "none".',
  ),
  "execution.domains": option(
    z
      .array(pattern(DOMAIN, "must be a domain such as example.com, *.example.com or a.com:8443"))
      .check(z.maxLength(MAX_DOMAINS)),
    "Domains that scripts and network_request may reach.",
  ),
  "execution.writable": option(
    texts(),
    "Folders below the working directory in which changes of scripts are kept without asking.",
  ),
  "execution.virtualEnvironment": option(
    text(),
    "Folder of a Python environment whose modules scripts may use.",
  ),
  "execution.freshDirectory": option(
    z.boolean(),
    "Give scripts a new empty working directory, which is gone afterwards.",
  ),
  "execution.memoryBytes": option(
    integer(1, MAX_MEMORY_BYTES),
    "The most memory that each process of a script gets.",
  ),
  "execution.cpuSeconds": option(
    integer(1, DAY_SECONDS),
    "The most processor time that each process of a script gets.",
  ),
  "execution.processes": option(
    integer(1, MAX_PROCESSES),
    "The most processes and threads that a script has at once.",
  ),
  "policy.allow": option(
    texts(),
    "Rules for what happens without asking, unless another rule asks or denies.",
  ),
  "policy.ask": option(texts(), "Rules for what always asks."),
  "policy.deny": option(texts(), "Rules for what never happens."),
  "policy.allowedTools": option(
    z.enum(["ask", "restrict", "grant", "ignore"]),
    'What allowed-tools of a skill mean: "ask" (nothing else on its behalf; other calls ask when no active skill lists the tool), "restrict" (other calls are denied as well), "grant" (as "ask", and approved beforehand if the skill is trusted) or "ignore".',
  ),
  "policy.denySecretReads": option(
    z.boolean(),
    "Never read files that hold secrets, such as .env and private keys, instead of asking.",
  ),
  "policy.enableDeleteFile": option(z.boolean(), "Offer delete_file; policy asks before each use."),
  "policy.enableNetworkRequest": option(
    z.boolean(),
    "Offer network_request; policy asks before each use.",
  ),
  "policy.risks": option(
    z.record(z.string(), z.enum(["low", "medium", "high"])),
    "A risk class per tool, where it is not the usual one.",
  ),
  "approvals.terminalOnly": option(
    z.boolean(),
    "Count only approvals that are given at a terminal.",
  ),
  "runs.keep": option(
    integer(1, MAX_BYTES),
    "Keep the records of so many runs of a project and of so many single calls, the newest; others go with the next one.",
  ),
  "runs.keepDays": option(
    integer(1, 36_500),
    "Keep the records of runs and single calls that are no older than so many days.",
  ),
  "packs.trustedKeys": option(
    z.array(
      z
        .string()
        .check(
          z.maxLength(MAX_KEY_LENGTH),
          z.regex(
            KEY,
            "must be a public key, a fingerprint, or a file by its whole path or from ~/",
          ),
        ),
    ),
    "Who may sign packs: public keys (`ssh-ed25519 AAAA…`), fingerprints (`SHA256:…`), or files that hold such.",
  ),
  "packs.requireSignature": option(
    z.boolean(),
    "Install only what is signed with one of the trusted keys.",
  ),
  "packs.failOn": option(
    z.enum(["low", "medium", "high", "critical", "never"]),
    "Refuse to install what the scan finds from this severity on.",
  ),
  "packs.limits": option(
    z.partialRecord(z.enum(["files", "bytes", "archiveBytes"]), integer(1, MAX_PACK_BYTES)),
    "The most that one pack may hold: `files`, `bytes` unpacked, and `archiveBytes`.",
  ),
  "security.max_skill_body_lines": option(
    integer(1, MAX_BYTES),
    "Lines of a skill's body above which it is reported as too long.",
  ),
  "security.block_angle_brackets_in_frontmatter": option(
    z.boolean(),
    "Keep skills from models that have < or > in their frontmatter.",
  ),
  "lint.rules": option(
    z.record(z.string(), z.enum(["error", "warning", "info", "off"])),
    "A severity per rule code.",
  ),
  disabledSkills: option(texts(), "Skills that are installed but not used."),
  mcpServers: option(
    z.record(z.string(), serverSchema),
    "MCP servers whose skills and tools are used, by name.",
  ),
} as const satisfies { [P in OptionPath]: OptionSchema<Given<P>> };

// `satisfies` holds what the schema gives against options.ts; this holds the way back.
type Missed = {
  [P in OptionPath]: Given<P> extends AsReadonly<z.output<(typeof optionSchemas)[P]["schema"]>>
    ? never
    : P;
}[OptionPath];
type AsReadonly<T> = T extends object ? { readonly [K in keyof T]: AsReadonly<T[K]> } : T;
true satisfies [Missed] extends [never] ? true : Missed;

function option<Schema extends z.ZodMiniType>(schema: Schema, description: string) {
  return { schema, description } as const;
}

function text() {
  return z.string().check(z.minLength(1));
}

/** The message must not quote the value. */
function pattern(expression: RegExp, message: string) {
  return z.string().check(z.maxLength(MAX_NAME_LENGTH), z.regex(expression, message));
}

function texts() {
  return z.array(text());
}

function dollars() {
  return z.number("must be a number of dollars").check(z.minimum(0));
}

function integer(smallest: number, largest: number) {
  return z.int().check(z.minimum(smallest), z.maximum(largest));
}
