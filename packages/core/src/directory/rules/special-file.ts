import { defineDirectoryRule } from "../skill-directory.ts";

export const specialFile = defineDirectoryRule({
  code: "special-file",
  severity: "error",
  summary: "The skill holds something that cannot be read as a file or folder.",
  explanation:
    "Named pipes, sockets and devices hang or harm programs that read them; no skill needs one. A folder without permission to read it cannot be checked, hashed or used.",
  example: {
    bad: "assets/queue (a named pipe)",
    good: "assets/queue.json",
  },
  inspect({ entries, unreadable }, report) {
    for (const path of unreadable) {
      report({
        path,
        message: `the folder \`${path}\` cannot be read`,
        hint: `chmod u+rx ${path}`,
      });
    }
    for (const { path, kind } of entries) {
      if (kind !== "special") continue;
      report({ path, message: `\`${path}\` is a pipe, socket or device`, hint: "remove it" });
    }
  },
});
