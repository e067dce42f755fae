import { escapeXml } from "@skillwright/core/internal";

/** Text that is HTML already. Only `html` makes it, so that nothing else gets into a page as HTML. */
export class Markup {
  readonly #text: string;

  constructor(text: string, key: typeof KEY) {
    if (key !== KEY) throw new TypeError("Markup is made by html``");
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

type Part = Markup | string | number | undefined | readonly Part[];

const KEY = Symbol("markup");

/** What is put in is text, unless it was made by this function; undefined is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = "";
  for (const [at, string] of compacted(strings).entries()) text += string + render(parts[at]);
  return new Markup(text, KEY);
}

const BLOCK = "details|summary|div|p|ul|ol|li|table|thead|tbody|tr|t[dh]|section|figure|svg";
const AROUND_BLOCKS = new RegExp(
  String.raw`\s*\n\s*(?=</?(?:${BLOCK})\b)|(?<=</?(?:${BLOCK})\b[^<>]*>)\s*\n\s*`,
  "g",
);
const done = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Without indentation and empty lines: with two thousand rows they would be a good part of the page. */
function compacted(strings: TemplateStringsArray): readonly string[] {
  const known = done.get(strings);
  if (known !== undefined) return known;
  const compact = strings.map((string) =>
    string.replaceAll(AROUND_BLOCKS, "").replaceAll(/\n\s+/g, "\n"),
  );
  done.set(strings, compact);
  return compact;
}

/** For text of our own that is no HTML to a parser: the content of a style or a script. */
export function rawText(text: string): Markup {
  if (/<\/?(?:script|style|!--)/i.test(text)) throw new TypeError("It would end its element");
  return new Markup(text, KEY);
}

function render(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.toString();
  if (typeof part === "object") return part.map(render).join("");
  return escapeHtml(`${part}`);
}

/** For text and for attributes in quotes; what HTML cannot hold becomes the sign for that. */
function escapeHtml(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const invalid = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/gu;
  return escapeXml(text.replaceAll(invalid, "\uFFFD"));
}

export interface ReportSection {
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
}

export function renderSection({ id, title, body }: ReportSection): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${body}
  </section> `;
}

/** A wide table scrolls in itself, also by keyboard. */
export function scrollable(label: string, table: Markup): Markup {
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${label}">${table}</div>`;
}

/** The first ones of a list, and how many more there are. */
export function firstOf<Item>(
  items: readonly Item[],
  most: number,
  render: (item: Item) => Markup,
): Markup {
  const more = items.length - most;
  return html`${items.slice(0, most).map(render)}${more > 0 ? html`<li class="more">and ${more} more</li>` : undefined}`;
}

const UNSAFE = /[<>\u2028\u2029]/g;

/** JSON that no HTML parser takes for the end of its element, and no JavaScript parser for a new line. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
