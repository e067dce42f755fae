import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadTypescript } from "./bundle.mjs";
import { ensureInstalled, ROOT } from "./setup.mjs";

ensureInstalled("run");

const { directoryRules, fieldsRules, qualityRules, registryRules, safetyRules, syntaxRules } =
  await loadTypescript("packages/core/src/index.ts");

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

const { policyTable } = await loadTypescript("packages/runtime/src/policy/policy-table.ts");

generate("docs/lint-rules.md", lintRules());
generate("docs/permissions.md", permissions());
generate("schema/config.schema.json", configurationSchemaText());

function generate(path, text) {
  const file = join(ROOT, path);
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text);
  } else if (readFileSync(file, "utf8") !== text) {
    console.error(`${path} is not what the code says; run: npm run docs`);
    process.exitCode = 1;
  }
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

function permissions() {
  const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const rows = policyTable().map(
    ({ situation, decision, reason }) =>
      `| ${cell(situation)} | **${decision}** | ${cell(reason)} |`,
  );
  return `# Permissions

<!-- Generated from packages/runtime/src/policy/policy-table.ts by \`npm run docs\`. Do not edit. -->

Before a tool acts, policy decides: \`allow\`, \`ask\` or \`deny\`. What denies comes first, then what asks, then
what allows, however specific each rule is. What is allowed is what the configuration allows, the skill declares in
\`allowed-tools\` (when it declares something), and this run permits. A skill can only narrow.

Each row is computed by \`decide\` itself.

| situation | decision | reason |
|---|---|---|
${rows.join("\n")}
`;
}
