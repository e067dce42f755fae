import { type ConformanceCase, fileWith } from "./conformance-case.ts";

type Tools = NonNullable<ConformanceCase["skill"]>["allowedTools"];

const row = (
  id: string,
  yaml: string,
  tools: NonNullable<Tools>,
  unreadable = 0,
): ConformanceCase => ({
  id,
  requirement: "F-05",
  text: fileWith(`allowed-tools:${yaml}`),
  strict: true,
  codes: Array.from({ length: unreadable }, () => "warning:allowed-tools-unreadable"),
  loaded: true,
  skill: { allowedTools: tools },
});

const [read, write] = [{ tool: "Read" }, { tool: "Write" }];
const git = { tool: "Bash", specifier: "git:*" };

export const allowedToolsCases: readonly ConformanceCase[] = [
  row("separated by blanks", " Bash(git:*) Read", [git, read]),
  row("separated by commas", " Read, Write,Bash(git:*)", [read, write, git]),
  row("separated by several blanks", ' "  Read \\t Write  "', [read, write]),
  row("a comma at the end", " Read, Write,", [read, write]),
  row("on several lines", " |\n  Read\n  Write\n  Bash(git:*)", [read, write, git]),
  row("folded", " >-\n  Read,\n  Write", [read, write]),
  row("a YAML list", "\n  - Read\n  - Bash(git:*)\n  - Write", [read, git, write]),
  row("a YAML list that is not indented", "\n- Read\n- Write", [read, write]),
  row("a YAML list on one line", " [Read, Bash(git:*)]", [read, git]),
  row("a quoted rule in a list", '\n  - "Bash(git commit -m \\"a, b\\")"', [
    { tool: "Bash", specifier: 'git commit -m "a, b"' },
  ]),
  row("a single tool", " Read", [read]),
  row("a single rule", " Bash(git:*)", [git]),
  row("a wildcard specifier", " Bash(*)", [{ tool: "Bash", specifier: "*" }]),
  row("a wildcard instead of a tool grants nothing", ' "* B* mcp__*"', [], 3),
  row("a specifier in the wrong brackets takes its tool along", " Bash [git:*], Read", [read], 1),
  row("a specifier without brackets takes its tool along", " Read, Bash git:*", [read], 1),
  row("a comma before the parenthesis", " Bash,(git:*)", [], 1),
  row("fullwidth parentheses", " Bash （git:*）", [], 1),
  row("a boolean is no tool", " true", [], 1),
  row("an MCP server, its tools and one tool", " mcp__db mcp__db__* mcp__db__run_query", [
    { tool: "mcp__db" },
    { tool: "mcp__db__*" },
    { tool: "mcp__db__run_query" },
  ]),
  row("blanks and commas inside parentheses", " Bash(git add *, git commit *) Read", [
    { tool: "Bash", specifier: "git add *, git commit *" },
    read,
  ]),
  row("parentheses inside parentheses", " Bash(echo $(date)), Read", [
    { tool: "Bash", specifier: "echo $(date)" },
    read,
  ]),
  row("a path and a domain", " Read(//etc/**) WebFetch(domain:example.com)", [
    { tool: "Read", specifier: "//etc/**" },
    { tool: "WebFetch", specifier: "domain:example.com" },
  ]),
  row("a skill and an agent", " Skill(dates *) Agent(helper)", [
    { tool: "Skill", specifier: "dates *" },
    { tool: "Agent", specifier: "helper" },
  ]),
  row("names of other clients", " read_file execute-code shell", [
    { tool: "read_file" },
    { tool: "execute-code" },
    { tool: "shell" },
  ]),
  row("an empty list asks for no tool", " []", []),
  row("an empty text asks for no tool", ' ""', []),
  row(
    "a blank before a specifier does not make an unrestricted tool",
    " Bash (git:*) Read",
    [read],
    1,
  ),
  row("a parenthesis that is not closed grants nothing", " Read Bash(git:* Write", [read], 1),
  row("text after a specifier grants nothing", " Bash(git:*)x, Read", [read], 1),
  row("an empty specifier grants nothing", " Bash() Read", [read], 1),
  row("a blank specifier grants nothing", ' "Bash( ) Read"', [read], 1),
  row("a closing parenthesis alone", " Read ) Write", [read, write], 1),
  row("a specifier without a tool", " (git:*), Read", [read], 1),
  row("a name with a slash", " MCP/docs, Read", [read], 1),
  row("a name with a colon", " stitch*:*, Read", [read], 1),
  row("a number", " 42", [], 1),
  row("a line break in a specifier", ' "Bash(git:*\\nrm) Read"', [read], 1),
  row("a list item is one rule", "\n  - Azure MCP/documentation\n  - Read Write", [], 2),
  row(
    "a list in a list and a mapping in a list",
    "\n  - [Read]\n  - {tool: Read}\n  - Write",
    [write],
    2,
  ),
  row("YAML splits a flow list inside parentheses", " [Agent(Explore, Bash, Plan), Read]", [
    { tool: "Agent", specifier: "Explore, Bash, Plan" },
    read,
  ]),
  row("a parenthesis that stays open takes the other items along", " [Bash(git, Read]", [], 1),
  row("an empty list item", "\n  -\n  - Read", [read], 1),
  row("a mapping grants nothing", "\n  Read: true", [], 1),
  {
    id: "no value declares nothing",
    requirement: "F-05",
    text: fileWith("allowed-tools:"),
    codes: ["warning:allowed-tools-unreadable"],
    loaded: true,
    at: [4, 14],
    hint: "remove the line",
  },
];
