import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** The licences of the packages that these files are from: who passes their code on passes them on. */
export function thirdPartyLicenses(files) {
  const folders = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[1] ?? []));
  const texts = [...folders]
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map(license);
  return texts.toSorted().join(`\n${"-".repeat(80)}\n\n`);
}

function license(folder) {
  const {
    name,
    version,
    license: id,
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.|$|-)/i.test(entry));
  const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  return `${name} ${version} (${id ?? "no licence named"})\n${text}`;
}
