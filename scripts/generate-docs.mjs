import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadTypescript } from "./bundle.mjs";
import { disclosureSvg } from "./disclosure-svg.mjs";
import { policyTable } from "./policy-table.mjs";
import { ensureInstalled, ROOT } from "./setup.mjs";

ensureInstalled("run");

const { directoryRules, fieldsRules, qualityRules, registryRules, safetyRules, syntaxRules } =
  await loadTypescript("packages/core/src/internal/index.ts");

const GROUPS = [
  ["Syntax", "Whether the file can be read at all.", syntaxRules],
  ["Fields", "What the specification says about each field.", fieldsRules],
  ["Safety", "What could deceive a model, a person or a terminal.", safetyRules],
  ["Quality", "What makes a skill work well.", qualityRules],
  ["Directory", "The files around SKILL.md.", directoryRules],
  [
    "Registry",
    "Roots, and skills in relation to each other; shown by `list` and `explain`.",
    registryRules,
  ],
];

const { configurationSchemaText } = await loadTypescript(
  "packages/core/src/config/configuration-json-schema.ts",
);

const { OPTIONS } = await loadTypescript("packages/core/src/config/option-table.ts");

const { DEFAULT_POLICY } = await loadTypescript("packages/runtime/src/index.ts");
const { decide } = await loadTypescript("packages/runtime/src/internal/index.ts");
const { estimateTokens, parseToolRules } = await loadTypescript(
  "packages/core/src/internal/index.ts",
);
const { openSkills } = await loadTypescript("packages/core/src/index.ts");

const { scanRules } = await loadTypescript("packages/packs/src/scan/scan-rules.ts");

const { CLIENTS } = await loadTypescript("packages/packs/src/clients/clients.ts");
const { portabilityPage } = await loadTypescript("packages/packs/src/clients/portability.ts");

const { casesSchemaText } = await loadTypescript("packages/evals/src/cases/case-schema.ts");

generate("docs/lint-rules.md", lintRules());
generate("docs/scan-rules.md", scanRulesText());
generate("docs/portability.md", portabilityPage(CLIENTS));
generate("docs/permissions.md", permissions());
generate("docs/images/disclosure.svg", await disclosureSvg({ openSkills, estimateTokens }));
generate("docs/configuration.md", configuration());
generate("schema/config.schema.json", configurationSchemaText());
generate("schema/eval-cases.schema.json", casesSchemaText());

function generate(path, text) {
  const file = join(ROOT, path);
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text);
  } else if (readFileSync(file, "utf8") !== text) {
    console.error(`${path} is not what the code says; run: npm run docs`);
    process.exitCode = 1;
  }
}

/** The page is written by hand; the rows of its tables come from the options. */
function configuration() {
  const lines = readFileSync(join(ROOT, "docs/configuration.md"), "utf8").split("\n");
  return lines.map((line) => optionRow(/^\| `([\w.]+)` \|/.exec(line)?.[1]) ?? line).join("\n");
}

function optionRow(path) {
  const option = path !== undefined && Object.hasOwn(OPTIONS, path) ? OPTIONS[path] : undefined;
  if (option === undefined) return undefined;
  const { default: value, description, project } = option;
  const shown = value === undefined ? "" : `\`${JSON.stringify(value).replaceAll(",", ", ")}\``;
  return `| \`${path}\` | ${shown} | ${description} | ${project.summary} |`;
}

function lintRules() {
  const intro = `# Lint rules

<!-- Generated from the rules in packages/core by \`npm run docs\`. Do not edit. -->

\`skillwright lint\` reports findings under the codes below. A rule has one severity while skills are
loaded (and in plain \`lint\`) and, where noted, another in \`lint --strict\`, which validates against the
specification. Two effects go with errors: a *skipped* skill is not loaded, a *hidden* one is listed for
people and kept from models.

Severities are set per rule in the configuration or on the command line; a rule that means the skill
cannot be loaded is always an error:

\`\`\`jsonc
// .agent/config.json
{ "lint": { "rules": { "description-without-when": "error", "key-unknown": "off" } } }
\`\`\`

\`\`\`sh
skillwright lint --rule description-without-when=error --rule key-unknown=off
\`\`\`
`;
  return [intro, ...GROUPS.map(groupText)].join("\n");
}

function groupText([title, sentence, rules]) {
  const rows = rules.map(
    (rule) => `| [\`${rule.code}\`](#${rule.code}) | ${severityText(rule)} | ${rule.summary} |`,
  );
  const table = ["| rule | severity | what it finds |", "|---|---|---|", ...rows].join("\n");
  return `## ${title}\n\n${sentence}\n\n${table}\n\n${rules.map(ruleText).join("\n")}`;
}

function ruleText(rule) {
  return `### ${rule.code}

${rule.explanation}

Severity: ${severityText(rule)}.

Not so:

\`\`\`text
${rule.example.bad}
\`\`\`

But so:

\`\`\`text
${rule.example.good}
\`\`\`
`;
}

function severityText({ severity, strict, effect }) {
  const levels =
    strict === undefined || strict === severity ? severity : `${severity}, strict: ${strict}`;
  return effect === undefined ? levels : `${levels} (${effect})`;
}

function scanRulesText() {
  const intro = `# Scan rules

<!-- Generated from the rules in packages/packs by \`npm run docs\`. Do not edit. -->

\`skillwright scan\`, and every install, looks through SKILL.md, references, scripts and configuration files of a
skill. It reports findings, not verdicts: places that a person should look at before the skill is used. Nothing
is run and nothing is sent anywhere.

The severity below is that of a clear case. A rule reports less where there is doubt, and nothing where a text
only speaks about an attack: below headings such as "Red flags", in sentences that forbid or describe it, in
tables and regular expressions of detectors. A skill whose description says that it teaches or tests security
gets at most *medium* for the attacks that its texts show and for the tools of that trade; secrets that its scripts
send away count in full. A key of the service that a skill calls, read from the environment by name, is no
finding.

A scan cannot prove that a skill is harmless: it reads text, it does not follow what a program computes, and an
attacker can read these rules too. Policy, approvals and the sandbox hold whatever the scan says.
`;
  const categories = [...new Set(scanRules.map(({ category }) => category))];
  return [intro, ...categories.map(scanCategory)].join("\n");
}

function scanCategory(category) {
  const rules = scanRules.filter((rule) => rule.category === category);
  const title = category.charAt(0).toUpperCase() + category.slice(1).replaceAll("-", " ");
  const rows = rules.map(
    ({ id, severity, summary }) => `| [\`${id}\`](#${id}) | ${severity} | ${summary} |`,
  );
  const table = ["| rule | severity | what it finds |", "|---|---|---|", ...rows].join("\n");
  const texts = rules.map(({ id, explanation }) => `### ${id}\n\n${explanation}\n`);
  return `## ${title}\n\n${table}\n\n${texts.join("\n")}`;
}

function permissions() {
  const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const rows = policyTable({ decide, DEFAULT_POLICY, parseToolRules }).map(
    ({ situation, decision, reason }) =>
      `| ${cell(situation)} | **${decision}** | ${cell(reason)} |`,
  );
  return `# Permissions

<!-- Generated from scripts/policy-table.mjs by \`npm run docs\`. Do not edit. -->

Before a tool acts, policy decides: \`allow\`, \`ask\` or \`deny\`. What denies comes first, then what asks, then
what allows, however specific each rule is. What is allowed is what the configuration allows, the skill declares in
\`allowed-tools\` (when it declares something), and this run permits. A skill can only narrow.

A rule that denies a command is a hint: where anything is denied, programs that are not known to start nothing ask.
[Policy](runtime.md#policy) says which lines a rule for commands allows.

Each row is computed by \`decide\` itself.

| situation | decision | reason |
|---|---|---|
${rows.join("\n")}
`;
}
