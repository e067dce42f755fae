import { readdirSync } from "node:fs";
import { join } from "node:path";

const MAX_FILES = 2000;

/** Every file below a folder with `/` in its path, and what is neither file nor folder. */
export function listFiles(root) {
  const files = [];
  const links = [];
  const visit = (path) => {
    for (const entry of entriesOf(join(root, path))) {
      if ([".git", "node_modules"].includes(entry.name)) continue;
      const inner = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) visit(inner);
      else if (entry.isFile()) files.push(inner);
      else links.push(inner);
      if (files.length > MAX_FILES) throw new Error(`there are more than ${MAX_FILES} files`);
    }
  };
  visit("");
  return { files, links };
}

function entriesOf(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
