import { escapeXml } from "../internal/text.ts";

export type CatalogFormat = "xml" | "markdown" | "json";

/** What one skill says of itself in a catalog; without a text only its name. */
interface CatalogEntry {
  readonly name: string;
  readonly source: string;
  readonly text?: string;
  /** Only when it was asked for. */
  readonly location?: string;
}

/** How a catalog is written. Text of skills can neither end its place nor start another. */
export interface CatalogWriter {
  readonly open: string;
  readonly close: string;
  entry(entry: CatalogEntry): string;
  /** Tells of the skills that are not listed. */
  more(count: number, searchTool: string | undefined): string;
  readonly empty: string;
}

export const CATALOG_WRITERS: Readonly<Record<CatalogFormat, CatalogWriter>> = {
  xml: {
    open: "<available_skills>\n",
    close: "</available_skills>",
    entry({ name, source, text, location }) {
      const place = location === undefined ? "" : ` location="${escapeXml(location)}"`;
      // Where only names fit, a source for each would take the place of as many names again.
      if (text === undefined) return `<skill name="${escapeXml(name)}"${place}/>\n`;
      const head = `<skill name="${escapeXml(name)}" source="${escapeXml(source)}"${place}`;
      return `${head}>${escapeXml(text)}</skill>\n`;
    },
    more: (count, searchTool) => `<more>${moreText(count, searchTool)}</more>\n`,
    empty: "",
  },
  markdown: {
    open: "",
    close: "",
    entry({ name, text, location }) {
      const place = location === undefined ? "" : ` (${escapeMarkdown(location)})`;
      const head = `- **${escapeMarkdown(name)}**${place}`;
      return text === undefined ? `${head}\n` : `${head}: ${escapeMarkdown(text)}\n`;
    },
    more: (count, searchTool) => `\n*${moreText(count, searchTool)}*\n`,
    empty: "*No skills available.*",
  },
  json: {
    open: "[\n",
    close: "]",
    entry({ name, source, text, location }) {
      return `${escapeJson({ name, description: text, source, location })},\n`;
    },
    more: (count, searchTool) => `${escapeJson({ more: moreText(count, searchTool) })},\n`,
    empty: "",
  },
};

function moreText(count: number, searchTool: string | undefined): string {
  const skills = count === 1 ? "1 more skill is" : `${count} more skills are`;
  const hint = searchTool === undefined ? "." : `; find them with ${searchTool}.`;
  return `${skills} not listed here${hint}`;
}

/** An item is one line, and no markup of HTML; what Markdown has besides ends with the line. */
function escapeMarkdown(text: string): string {
  return text.replace(/[<>]/g, escapeXml);
}

/** Markup in a text must not end what a host puts around the JSON. */
function escapeJson(value: object): string {
  return JSON.stringify(value).replace(
    /[<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
