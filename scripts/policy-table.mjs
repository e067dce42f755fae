/** Situations that people ask about, for docs/permissions.md; `decide` itself says what happens in each. */

const ON = { run_command: true, delete_file: true, network_request: true };
const READ = { path: "src/a.ts" };
const STATUS = { command: "git status" };
const WEB = { url: "https://example.com/a" };
const SCRIPT = { script: "scripts/report.py" };

const situations = ({ row, forSkill, skill }) => [
  row("Nothing configured: reading a file", "read_file", READ),
  row("Nothing configured: listing a folder", "list_directory", { path: "src" }),
  row("Nothing configured: searching in files", "search_files", { pattern: "TODO" }),
  row("Nothing configured: `list_dir`, another name", "list_dir", { path: "src" }),
  row("Nothing configured: `grep`, another name", "grep", { pattern: "TODO" }),
  row("Nothing configured: writing a file", "write_file", READ),
  row("Nothing configured: running a script of a skill", "run_script", SCRIPT),
  row("Nothing configured: running a command", "run_command", STATUS),
  row("Nothing configured: `run_shell_command`, another name", "run_shell_command", STATUS),
  row("Nothing configured: deleting a file", "delete_file", READ),
  row("Nothing configured: asking a web server", "network_request", WEB),
  row("Nothing configured: `network`, another name", "network", WEB),
  row("Nothing configured: an unknown tool", "launch", {}),
  row("Nothing configured: reading `.env`", "read_file", { path: ".env" }),
  row(
    "`policy.denySecretReads`: reading `.env`",
    "read_file",
    { path: ".env" },
    { secretReads: "deny" },
  ),
  row("Reading a file outside the working directory", "read_file", { path: "../other/a.ts" }),
  row("Commands switched on, no rule", "run_command", STATUS, { switches: ON }),
  row("Deleting switched on, no rule", "delete_file", READ, { switches: ON }),
  row("Web requests switched on, no rule", "network_request", WEB, { switches: ON }),
  row("Reading switched off, and allowed by a rule", "read_file", READ, {
    switches: { read_file: false },
    allow: ["Read"],
  }),
  row("Allowed: `Bash(git:*)`; called: `git status`", "run_command", STATUS, {
    switches: ON,
    allow: ["Bash(git:*)"],
  }),
  row(
    "Allowed: `Bash(git:*)`; called: `git status; rm -rf /`",
    "run_command",
    {
      command: "git status; rm -rf /",
    },
    { switches: ON, allow: ["Bash(git:*)"] },
  ),
  row(
    "Allowed: `Bash`, denied: `Bash(rm:*)`; called: `sudo /bin/rm -rf /`",
    "run_command",
    {
      command: "sudo /bin/rm -rf /",
    },
    { switches: ON, allow: ["Bash"], deny: ["Bash(rm:*)"] },
  ),
  row(
    "Allowed: `Bash`, denied: `Bash(rm:*)`; called: `mytool --clean`, which is not known",
    "run_command",
    { command: "mytool --clean" },
    { switches: ON, allow: ["Bash"], deny: ["Bash(rm:*)"] },
  ),
  row(
    "Allowed: `Bash(make test:*)`; called: `make test SHELL=./x`",
    "run_command",
    { command: "make test SHELL=./x" },
    { switches: ON, allow: ["Bash(make test:*)"] },
  ),
  row(
    "Allowed: `Bash`; called: a command with a quote that is not closed",
    "run_command",
    {
      command: "echo 'a",
    },
    { switches: ON, allow: ["Bash"] },
  ),
  row("Allowed: `Write(src/**)`, nothing always asks; writing `src/a.ts`", "write_file", READ, {
    ask: [],
    allow: ["Write(src/**)"],
  }),
  row(
    "Denied: `Read(.env)`; reading `config/.env`",
    "read_file",
    { path: "config/.env" },
    {
      deny: ["Read(.env)"],
    },
  ),
  row(
    "Allowed: `WebFetch(domain:example.com)`; asking `example.com`",
    "network_request",
    {
      url: "https://example.com/a",
    },
    { switches: ON, ask: [], allow: ["WebFetch(domain:example.com)"] },
  ),
  forSkill("A skill declares `Read`; writing on its behalf", "write_file", READ, skill("Read")),
  forSkill(
    "A skill declares `Bash(python3:*)`; running its `report.py`",
    "run_script",
    SCRIPT,
    skill("Bash(python3:*)"),
  ),
  forSkill("A skill that is not trusted; running its script", "run_script", SCRIPT, {
    name: "stranger",
    trusted: false,
  }),
  {
    ...row(
      "One active skill declares `Read`, another `Write`; writing for neither",
      "write_file",
      READ,
    ),
    activeSkills: [skill("Read"), { ...skill("Write"), name: "writer" }],
  },
  {
    ...row("The only active skill declares `Bash(node:*)`; reading a file", "read_file", READ),
    activeSkills: [skill("Bash(node:*)")],
  },
  {
    ...row(
      "`restrict`: the only active skill declares `Bash(node:*)`; reading a file",
      "read_file",
      READ,
      { allowedTools: "restrict" },
    ),
    activeSkills: [skill("Bash(node:*)")],
  },
  {
    ...forSkill(
      "`grant`, nothing always asks: a trusted skill declares `Write`; writing for it",
      "write_file",
      READ,
      skill("Write"),
    ),
    settings: { allowedTools: "grant", ask: [] },
  },
  {
    ...forSkill(
      "`grant`: `write_file` always asks; a trusted skill declares `Write`",
      "write_file",
      READ,
      skill("Write"),
    ),
    settings: { allowedTools: "grant" },
  },
];

/** The decisions of this version. */
export function policyTable({ decide, DEFAULT_POLICY, parseToolRules }) {
  const row = (situation, tool, input, settings = {}) => ({ situation, tool, input, settings });
  const forSkill = (situation, tool, input, skill) => ({ situation, tool, input, skill });
  const skill = (allowedTools) => ({
    name: "reports",
    trusted: true,
    allowedTools: parseToolRules(allowedTools).rules,
  });
  return situations({ row, forSkill, skill }).map(({ situation, settings, ...call }) => {
    const { decision, reason } = decide({
      activeSkills: [],
      ...call,
      settings: { ...DEFAULT_POLICY, ...settings },
      places: { workingDirectory: "/work", home: "/home/user" },
    });
    return { situation, decision, reason };
  });
}
