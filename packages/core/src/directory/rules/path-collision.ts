import { defineDirectoryRule, withFolders } from "../skill-directory.ts";

export const pathCollision = defineDirectoryRule({
  code: "path-collision",
  severity: "error",
  summary: "Two files have the same name on some systems.",
  explanation:
    "macOS and Windows do not tell `Forms.md` from `forms.md`, nor two Unicode spellings of `é`; one of the two would be lost.",
  example: {
    bad: "references/Forms.md, references/forms.md",
    good: "references/forms.md, references/forms-2.md",
  },
  inspect({ entries }, report) {
    const seen = new Map<string, string>();
    for (const { path } of entries) {
      const clash = withFolders(path).find((place) => {
        const folded = place.normalize("NFKC").toLowerCase();
        if (!seen.has(folded)) seen.set(folded, place);
        return seen.get(folded) !== place;
      });
      if (clash === undefined) continue;
      const other = seen.get(clash.normalize("NFKC").toLowerCase()) ?? "";
      report({ path, message: `\`${clash}\` and \`${other}\` are the same on some systems` });
    }
  },
});
