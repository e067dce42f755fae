#!/usr/bin/env node
// Checks JSON, YAML, CSV and Markdown files, against a schema or rules when there are some.
import { extname } from "node:path";
import { checkCsv } from "./lib/check-csv.mjs";
import { checkMarkdown } from "./lib/check-markdown.mjs";
import { checkSchema } from "./lib/check-schema.mjs";
import { command, UsageError, wrongCall } from "./lib/command.mjs";
import { Findings } from "./lib/findings.mjs";
import { readJson } from "./lib/read-json.mjs";
import { inOrder, loadRules, loadSchema } from "./lib/read-rules.mjs";
import { readSource } from "./lib/read-source.mjs";
import { readYaml } from "./lib/read-yaml.mjs";
import { visible } from "./lib/visible.mjs";

const USAGE = `usage: node scripts/check.mjs <file> [--schema <schema file>] [--rules <rules file>] [--as json|yaml|csv|markdown] [--strict] [--json] [--exit-zero]
exit code: 0 valid, 1 errors were found, 2 wrong usage, schema or rules; --strict counts warnings as errors, with --exit-zero errors are 0 too`;
const KINDS = {
  ".json": "json",
  ".yaml": "yaml",
  ".yml": "yaml",
  ".csv": "csv",
  ".tsv": "csv",
  ".tab": "csv",
  ".md": "markdown",
  ".markdown": "markdown",
};
const NAMES = { json: "JSON", yaml: "YAML", csv: "CSV", markdown: "Markdown" };
const string = { type: "string" };
const boolean = { type: "boolean" };

await command(
  USAGE,
  {
    schema: string,
    rules: string,
    as: string,
    strict: boolean,
    json: boolean,
    "exit-zero": boolean,
  },
  async (given, positionals) => {
    if (positionals.length === 0) throw wrongCall("give a file");
    const { values, files } = await inOrder(given, positionals);
    const rules = values.rules === undefined ? {} : await loadRules(values.rules);
    const schema = values.schema === undefined ? undefined : await loadSchema(values.schema);
    const results = [];
    for (const file of files) results.push(await checkFile(file, values, { rules, schema }));
    const isWell = results.every(
      ({ errors, warnings }) => errors === 0 && !(values.strict && warnings > 0),
    );
    if (values.json) console.log(JSON.stringify({ valid: isWell, files: results }, null, 2));
    else for (const result of results) print(result);
    return isWell;
  },
);

async function checkFile(file, values, { rules, schema }) {
  const kind = values.as ?? KINDS[extname(file).toLowerCase()];
  if (!Object.hasOwn(NAMES, kind ?? "")) {
    throw wrongCall(`${visible(file)}: say what it is with --as json, yaml, csv or markdown`);
  }
  const isTree = kind === "json" || kind === "yaml";
  if (schema !== undefined && !isTree)
    throw wrongCall(
      `a schema is for JSON and YAML, ${visible(file)} is ${NAMES[kind]}: use --rules`,
    );
  if (values.rules !== undefined && rules[kind] === undefined) {
    throw new UsageError(
      `${visible(values.rules)} has no rules for ${NAMES[kind]}: "${kind}" is missing in it`,
    );
  }
  const findings = new Findings();
  const own = rules[kind] ?? {};
  let about = "";
  if (kind === "csv") about = await checkCsv(file, own, findings);
  else {
    const text = await readSource(file, findings);
    if (text !== undefined && kind === "markdown") about = checkMarkdown(file, text, own, findings);
    else if (text !== undefined)
      about = checkTree(kind, text, values, { schema: schema ?? own.schema, findings });
  }
  const { errors, warnings, omitted, isUnread, list } = findings;
  return { file, kind, errors, warnings, omitted, isUnread, about, findings: list };
}

function checkTree(kind, text, values, { schema, findings }) {
  const node = kind === "json" ? readJson(text, findings) : readYaml(text, findings);
  if (node === undefined) return schema === undefined ? "" : "not checked against the schema";
  if (schema === undefined) return "no schema was given";
  const name = values.schema ?? values.rules;
  checkSchema(node, schema, findings, name);
  return `checked against ${visible(name)}`;
}

function print({ file, kind, errors, warnings, omitted, isUnread, about, findings }) {
  const name = visible(file, 500);
  for (const { line, column, severity, message } of findings) {
    console.log(`${name}:${line}:${column} ${severity} ${message}`);
  }
  if (omitted > 0) console.log(`… ${omitted} more are not shown`);
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const no = isUnread ? "was not read to its end, so it may be valid" : "is not valid";
  const verdict = `${errors === 0 ? "is valid" : no} ${NAMES[kind]}`;
  console.log(
    `${name} ${verdict}: ${count(errors, "error")}, ${count(warnings, "warning")}${about === "" ? "" : `; ${about}`}`,
  );
}
