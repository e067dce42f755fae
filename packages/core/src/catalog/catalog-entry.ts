import { plainLine } from "../internal/text.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import { CATALOG_WRITERS } from "./catalog-format.ts";
import { fullText, isCut, shortText } from "./catalog-text.ts";
import type { Level } from "./choose-levels.ts";
import type { CatalogOptions } from "./catalog-options.ts";

/** One skill in a catalog. Records may be made by hand, so that nothing is taken for clean. */
export function renderEntry(
  record: SkillRecord,
  level: Level,
  { format = "xml", locations = false }: CatalogOptions,
): string {
  if (level === "omitted") return "";
  const { name, source, description, path, uri } = record;
  const text =
    level === "full"
      ? fullText(description)
      : level === "short"
        ? shortText(description)
        : undefined;
  return CATALOG_WRITERS[format].entry({
    name: plainLine(name),
    source: plainLine(source),
    ...(text === undefined ? undefined : { text }),
    ...(locations ? { location: plainLine(uri ?? path) } : undefined),
  });
}

/** A short description is whole as it is, and one that is too long is not. */
export function honestLevel({ description }: SkillRecord, level: Level): Level {
  if (level === "full") return isCut(description) ? "short" : level;
  const isWhole = level === "short" && shortText(description) === fullText(description);
  return isWhole && !isCut(description) ? "full" : level;
}
