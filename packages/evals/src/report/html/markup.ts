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

/**
 * What is put in is text, unless it was made by this function; undefined is nothing. Indentation of the
 * template is left out: with two thousand rows it would be a good part of the page.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = "";
  for (const [at, string] of strings.entries()) {
    text += string.replaceAll(/\n\s+/g, "\n") + render(parts[at]);
  }
  return new Markup(text, KEY);
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
  return (
    text
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/gu, "\uFFFD")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;")
  );
}
