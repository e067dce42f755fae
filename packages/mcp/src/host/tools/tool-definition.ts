import { createHash } from "node:crypto";
import {
  type InputSchema,
  canonicalJson,
  isNestedDeeper,
  promptLine,
  promptText,
} from "@skillwright/core/internal";
import type { HostLimits } from "../host-limits.ts";
import { hideSecrets, hideSecretsIn, holdsSecret } from "../settings/secrets.ts";

/** A tool as a server describes it. All of it is the server's word. */
export interface ToolDefinition {
  /** As the server calls it. */
  readonly name: string;
  /** `mcp__server__tool`. */
  readonly fullName: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  /** What its annotations claim. */
  readonly claimsReadOnly: boolean;
  /** Of all that the server says about it: an approval is for this, and no other. */
  readonly digest: string;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** Providers of models take no longer ones. */
const MAX_FULL_NAME = 64;
const MAX_DESCRIPTION = 1024;
const MAX_DEPTH = 64;

/**
 * Holds one entry of a list to our rules; a text says what is wrong. Secrets are hidden in what is
 * shown of it.
 */
export function readToolDefinition(
  value: unknown,
  label: string,
  { schemaBytes }: Pick<HostLimits, "schemaBytes">,
  secrets: readonly string[] = [],
): ToolDefinition | string {
  if (!isObject(value)) return "it is not an object";
  if (isNestedDeeper(JSON.stringify(value), MAX_DEPTH)) return "it is nested too deeply";
  const { name, description = "", inputSchema, annotations, title } = value;
  if (typeof name !== "string" || !NAME.test(name)) {
    return "its name has other characters than letters, digits, _ and -, or too many";
  }
  if (holdsSecret(name, secrets)) return "its name holds a secret of the server's settings";
  const fullName = `mcp__${label}__${name}`;
  if (fullName.length > MAX_FULL_NAME) return `its name ${fullName} is too long`;
  if (typeof description !== "string") return "its description is not text";
  const schema = schemaOf(inputSchema, schemaBytes, secrets);
  if (typeof schema === "string") return schema;
  const claims = isObject(annotations) ? annotations : {};
  const digest = createHash("sha256")
    .update(canonicalJson({ name, title, description, inputSchema, annotations }))
    .digest("hex");
  return {
    name,
    fullName,
    description: `(MCP server ${label}) ${promptLine(hideSecrets(description, secrets), MAX_DESCRIPTION)}`,
    inputSchema: schema,
    claimsReadOnly: claims["readOnlyHint"] === true && claims["destructiveHint"] !== true,
    digest: `sha256:${digest}`,
  };
}

function schemaOf(
  schema: unknown,
  maxBytes: number,
  secrets: readonly string[],
): InputSchema | string {
  if (!isObject(schema) || schema["type"] !== "object") return "its input is not an object";
  if (JSON.stringify(schema).length > maxBytes) return `its schema has more than ${maxBytes} bytes`;
  const { properties = {}, type, ...rest } = schema;
  if (!isObject(properties) || !Object.values(properties).every(isObject)) {
    return "its schema has no properties that could be understood";
  }
  const [shown, fields] = [rest, properties].map((part) => hideSecretsIn(part, secrets));
  return withSafeTexts({ type, ...(shown as object), properties: fields }) as InputSchema;
}

const MAX_TEXT = 500;

/** Models read all of a schema: names, values and examples as well as descriptions. */
function withSafeTexts(value: unknown): unknown {
  if (typeof value === "string") return promptText(value);
  if (Array.isArray(value)) return value.map(withSafeTexts);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => {
    const isText = typeof part === "string" && (key === "description" || key === "title");
    return [promptText(key), isText ? promptLine(part, MAX_TEXT) : withSafeTexts(part)] as const;
  });
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
