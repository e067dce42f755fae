const TAG = /\{\{\s*([^{}]*?)\s*\}\}/g;
/** A line with nothing but the beginning or end of a part leaves no empty line. */
const ALONE = /^[ \t]*(\{\{\s*(?:#(?:each|if)\s[^{}]*|\/(?:each|if))\s*\}\})[ \t]*(?:\r?\n|$)/gm;

/**
 * Fills `{{name}}`, repeats `{{#each name}}…{{/each}}` for each entry of a list and keeps
 * `{{#if name}}…{{/if}}` when there is something. What is filled in is never read as a template.
 */
export function renderTemplate(template, values) {
  const tokens = tokensOf(template.replaceAll(ALONE, "$1"));
  const { parts, at } = parse(tokens, 0, undefined);
  if (at < tokens.length) throw new Error(`the template has a {{${tokens[at].tag}}} too many`);
  return render(parts, [values]);
}

function tokensOf(text) {
  const tokens = [];
  let done = 0;
  for (const { 0: whole, 1: tag, index } of text.matchAll(TAG)) {
    tokens.push({ text: text.slice(done, index) }, { tag });
    done = index + whole.length;
  }
  return [...tokens, { text: text.slice(done) }];
}

function parse(tokens, start, open) {
  const parts = [];
  let at = start;
  while (at < tokens.length) {
    const { text, tag } = tokens[at];
    if (tag?.startsWith("/")) {
      if (open !== undefined && tag === `/${open}`) return { parts, at: at + 1 };
      return open === undefined ? { parts, at } : unclosed(open);
    }
    at++;
    const block = /^#(each|if)\s+([\w-]+)$/.exec(tag ?? "");
    if (block === null) {
      parts.push(text === undefined ? { kind: "value", name: tag } : { kind: "text", text });
      continue;
    }
    const [, kind, name] = block;
    const inner = parse(tokens, at, kind);
    parts.push({ kind, name, parts: inner.parts });
    at = inner.at;
  }
  return open === undefined ? { parts, at } : unclosed(open);
}

function unclosed(kind) {
  throw new Error(`the template has a {{#${kind} …}} without its {{/${kind}}}`);
}

function render(parts, scopes) {
  return parts.map((part) => renderPart(part, scopes)).join("");
}

function renderPart(part, scopes) {
  if (part.kind === "text") return part.text;
  const value = lookUp(part.name, scopes);
  if (part.kind === "each") {
    if (!Array.isArray(value)) throw new Error(`{{#each ${part.name}}} needs a list`);
    return value.map((entry) => render(part.parts, [entry, ...scopes])).join("");
  }
  if (part.kind === "if") return isSomething(value) ? render(part.parts, scopes) : "";
  if (Array.isArray(value)) throw new Error(`{{${part.name}}} is a list: {{#each ${part.name}}}`);
  return value;
}

function isSomething(value) {
  return Array.isArray(value) ? value.length > 0 : value !== "";
}

function lookUp(name, scopes) {
  for (const scope of scopes) if (Object.hasOwn(scope, name)) return scope[name];
  const known = [...new Set(scopes.flatMap((scope) => Object.keys(scope)))];
  throw new Error(`the template has {{${name}}}; there are: ${known.join(", ")}`);
}
