import type { Random } from "./random.ts";

const TOOLS = [
  [730, "Bash"],
  [622, "Read"],
  [455, "Write"],
  [425, "Grep"],
  [420, "Glob"],
  [292, "Edit"],
  [87, "WebFetch"],
  [76, "Agent"],
  [50, "run_shell_command"],
  [40, "mcp__github__create_issue"],
] as const;

const SPECIFIERS = [
  [138, "git *"],
  [113, "npm run:*"],
  [81, "*"],
  [9, "python3 scripts/*.py"],
  [4, "make build"],
] as const;

type Form = (random: Random) => string;

/** The forms in which public skills write `allowed-tools`, as often as they do. */
const FORMS: readonly (readonly [weight: number, form: Form])[] = [
  [389, (random) => ` ${tools(random, 0.33).join(", ")}`],
  [
    150,
    (random) =>
      `\n${tools(random, 0.05)
        .map((tool) => `  - ${tool}`)
        .join("\n")}`,
  ],
  [60, (random) => ` [${tools(random, 0).join(", ")}]`],
  [
    41,
    (random) =>
      ` [${tools(random, 0.05)
        .map((tool) => `"${tool}"`)
        .join(", ")}]`,
  ],
  [3, () => " []"],
  [116, (random) => ` ${tool(random, 0.75)}`],
  [58, (random) => ` ${tools(random, 0.15).join(" ")}`],
  [2, () => ""],
];

export const allowedTools: Form = (random) => random.weighted(FORMS)(random);

/** The forms that are one plain line. */
export const plainAllowedTools: Form = (random) =>
  ` ${tools(random, 0.3).join(random.chance(0.87) ? ", " : " ")}`;

/** `restricted` is the share of lists in which the shell has a specifier. */
function tools(random: Random, restricted: number): string[] {
  const share = random.chance(restricted) ? 1 : 0;
  const count = random.integer(2, 7);
  return [...new Set(Array.from({ length: count }, () => tool(random, share)))];
}

function tool(random: Random, restricted: number): string {
  const name = random.chance(restricted) ? "Bash" : random.weighted(TOOLS);
  const restrict = name === "Bash" && random.chance(restricted);
  return restrict ? `Bash(${random.weighted(SPECIFIERS)})` : name;
}
