import { isMessage, isTaught } from "../../context/teaching-context.ts";
import { isOminousHost, isPasteHost, isPrivateHost, targetsOf } from "../../facts/hosts.ts";
import type { ScanCheck } from "../../scan-check.ts";

const INSTALL =
  /\b(?:pip3?|uv|pipx|poetry|npm|pnpm|yarn|bun|npx|gem|cargo|go|easy_install|conda|brew|uvx|bunx)\s+(?:pip\s+)?(?:install|add|i|tap|get|dlx|config\s+set|-y|x)\b/;
const FOREIGN_INDEX =
  /(?:--index-url|--extra-index-url|-i|--registry|--find-links|registry\s*=?|index-url\s*=|global\.(?:index-url|extra-index-url)|pip_(?:extra_)?index_url=|npm_config_registry=)\s*["']?(https?:\/\/[^\s"']{4,200})/;

export const unpinnedPackage: ScanCheck = {
  id: "unpinned-package",
  severity: "medium",
  category: "remote-code",
  summary: "A package is installed from an address, over plain http, or from a foreign index.",
  explanation:
    "A package by name and version can be looked up and locked. One from an address, over a connection that anybody may change, or from an index that answers for every name, can be anything.",
  words: [
    "pip ",
    "pip3",
    "pip_",
    "pipx",
    "npm",
    "pnpm",
    "yarn",
    "npx",
    "uv add",
    "poetry",
    "gem install",
    "cargo install",
    "index-url",
    "registry",
    "trusted-host",
    "uvx",
    "bunx",
    "find-links",
  ],
  look: (line) => {
    if (
      line.zone === "comment" ||
      (!line.isCode && line.zone !== "config" && !line.raw.includes("`"))
    )
      return undefined;
    const index = FOREIGN_INDEX.exec(line.text);
    const installs = INSTALL.exec(line.text);
    if (
      (index === null && installs === null) ||
      isTaught(line) ||
      isMessage(line, index?.index ?? installs?.index ?? 0)
    )
      return undefined;
    const targets = targetsOf(
      index?.[1] ?? line.text.slice(installs?.index ?? 0).replaceAll(/git\+(?=http)/g, " "),
    );
    for (const { host, isAddress, isSecure } of targets) {
      if (isPrivateHost(host) || /[$<{]/.test(host)) continue;
      const severity = line.quotesAttacks && line.zone !== "code" ? "medium" : "high";
      if (isAddress || isOminousHost(host) || isPasteHost(host))
        return { message: `It installs a package from ${host}`, severity };
      if (!isSecure)
        return {
          message: `It installs a package from ${host} over plain http`,
          severity: index === null ? "medium" : severity,
        };
      if (
        index !== null &&
        !/npmjs|pypi|pytorch|nvidia|python|pkg\.dev|github|gitlab|azure|jfrog|artifactory|codeartifact|aliyun|tuna|npmmirror|huawei|ustc|tencent|nexus|anaconda|internal|corp|company|your|example\.com|pnpm|yarn/.test(
          host,
        )
      )
        return { message: `It takes packages from the index ${host}` };
    }
    return undefined;
  },
};
