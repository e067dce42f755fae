import { readFile } from "node:fs/promises";
import { checkSchema } from "./check-schema.mjs";
import { UsageError } from "./command.mjs";
import { Findings } from "./findings.mjs";
import { plainValue, readJson } from "./read-json.mjs";
import { visible } from "./visible.mjs";

const RULES_SCHEMA = new URL("../../assets/rules.schema.json", import.meta.url);

const SCHEMA_KEYS = new Set(
  "$schema properties $defs $ref anyOf oneOf allOf items required".split(" "),
);

export async function loadSchema(file) {
  return plainValue(await loadJson(file));
}

/** Rules that nobody knows would be rules that nobody checks: they are an error. */
export async function loadRules(file) {
  const node = await loadJson(file);
  const schema = JSON.parse(await readFile(RULES_SCHEMA, "utf8"));
  const findings = new Findings();
  checkSchema(node, schema, findings, "rules.schema.json");
  const [first] = findings.list;
  if (first !== undefined)
    throw new UsageError(`${visible(file, 500)}:${first.line}:${first.column} ${first.message}`);
  return plainValue(node);
}

/**
 * A file and its schema or rules are easily swapped. When what is called the schema is none and the
 * file is one, they change places, and that is said.
 */
export async function inOrder(values, files) {
  const name = ["schema", "rules"].find((one) => values[one] !== undefined);
  const isMark = name === "schema" ? looksLikeSchema : looksLikeRules;
  if (name === undefined || files.length !== 1) return { values, files };
  const [file] = files;
  if ((await isDocument(values[name], isMark)) || !(await isDocument(file, isMark)))
    return { values, files };
  console.error(
    `note: ${visible(file, 500)} is the ${name}, so ${visible(values[name], 500)} is what is checked`,
  );
  return { values: { ...values, [name]: file }, files: [values[name]] };
}

async function isDocument(file, isMark) {
  const text = (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  const node = readJson(text, new Findings());
  return node?.type === "object" && isMark(node.entries.map(({ key }) => key));
}

function looksLikeSchema(keys) {
  return keys.some((key) => SCHEMA_KEYS.has(key)) || (keys.includes("type") && keys.length <= 3);
}

function looksLikeRules(keys) {
  return keys.length > 0 && keys.every((key) => ["json", "yaml", "csv", "markdown"].includes(key));
}

async function loadJson(file) {
  const findings = new Findings();
  const text = (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  const node = readJson(text, findings);
  const [first] = findings.list;
  if (first !== undefined)
    throw new UsageError(`${visible(file, 500)}:${first.line}:${first.column} ${first.message}`);
  return node;
}
