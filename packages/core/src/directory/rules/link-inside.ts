import { defineDirectoryRule } from "../skill-directory.ts";

export const linkInside = defineDirectoryRule({
  code: "link-inside",
  severity: "error",
  summary: "A symbolic link stands inside the skill.",
  explanation:
    "A link can lead to any file of the machine, so links below a skill's folder are never followed. The folder itself may be a link.",
  example: {
    bad: "references/keys -> /home/ada/.ssh",
    good: "references/keys.md",
  },
  inspect({ entries }, report) {
    for (const { path, kind } of entries) {
      if (kind !== "link") continue;
      const hint = "replace it with a copy of the file";
      report({ path, message: `\`${path}\` is a symbolic link and is never followed`, hint });
    }
  },
});
