import { load, YAMLException } from "js-yaml";
import {
  documentFailure,
  DocumentProblem,
  type DocumentResult,
  MAX_DEPTH,
  placedDocument,
} from "./data-document.ts";
import { jsonPlaces } from "./json-places.ts";
import { yamlPlaces } from "./yaml-places.ts";

/** Reads a JSON or YAML text, whatever it is; a hostile one is a failure with its line. */
export function readDocument(source: string, format: "json" | "yaml"): DocumentResult {
  const text = source.startsWith("\uFEFF") ? source.slice(1) : source;
  try {
    if (format === "json") {
      const places = jsonPlaces(text);
      return { ok: true, document: placedDocument(text, JSON.parse(text) as unknown, places) };
    }
    const places = yamlPlaces(text);
    const value = text.trim() === "" ? null : load(text, { maxDepth: MAX_DEPTH, maxAliases: 0 });
    return { ok: true, document: placedDocument(text, value, places) };
  } catch (error) {
    if (error instanceof DocumentProblem) return documentFailure(text, error.message, error.offset);
    if (error instanceof YAMLException) {
      return documentFailure(text, error.reason, error.mark?.position ?? 0);
    }
    if (error instanceof SyntaxError) return documentFailure(text, error.message, 0);
    throw error;
  }
}
