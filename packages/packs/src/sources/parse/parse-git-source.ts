import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { sourceFailure } from "../source-failure.ts";
import { isLoopbackName } from "../web/address-reach.ts";
import type { GitSource } from "./parsed-source.ts";
import { recordedUrl } from "./recorded-url.ts";
import {
  parseFolder,
  parseFragment,
  splitFragment,
  splitRepositorySkill,
  splitSkill,
} from "./source-suffix.ts";

const OWNER = /^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/;
const REPOSITORY = /^[A-Za-z0-9._][A-Za-z0-9._-]{0,99}$/;
const SCP =
  /^([A-Za-z0-9_.][A-Za-z0-9_.-]*)@([A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9a-fA-F:]+\]):([^-:\s].*)$/;
const CREDENTIALS_NOTE = "the credentials in the URL are used now and not recorded";

/** `owner/repo[/folder][#ref][@skill]`, which is on GitHub. */
export function parseShorthand(text: string): GitSource | PackFailure {
  const [place, fragment] = splitFragment(text);
  // Without `#` the skill follows the folder.
  const [base, skillOfPlace] = text.includes("#") ? [place, undefined] : splitSkill(place);
  const [owner = "", name = "", ...rest] = base.split("/");
  const repository = name.replace(/\.git$/i, "");
  if (!OWNER.test(owner) || !REPOSITORY.test(repository) || /^\.+$/.test(repository)) {
    return sourceFailure("source-invalid", `“${foreignText(text)}” is no source that is known`, {
      hint: "Write ./folder for a folder here, owner/repo for GitHub, or npm:name for a package.",
    });
  }
  const suffix = parseFragment(fragment);
  if ("ok" in suffix) return suffix;
  const folder = parseFolder(rest.join("/"));
  if ("ok" in folder) return folder;
  return {
    ok: true,
    kind: "git",
    source: `${owner}/${repository}`,
    url: `https://github.com/${owner}/${repository}.git`,
    transport: "https",
    notes: [],
    ...(skillOfPlace !== undefined && { skill: skillOfPlace }),
    ...suffix,
    ...(folder.path !== "" && { path: folder.path }),
  };
}

/** A URL that git understands, with `//folder`, `#ref` and `@skill` after it. */
export function parseGitUrl(text: string): GitSource | PackFailure {
  const [whole, fragment] = splitFragment(text);
  const [place, skill] = text.includes("#") ? [whole, undefined] : splitRepositorySkill(whole);
  const suffix = parseFragment(fragment);
  if ("ok" in suffix) return suffix;
  const plain = place.replace(/^git\+/i, "");
  const scheme = /^[a-z]+:\/\/[^/]*\/*/i.exec(plain)?.[0].length ?? 0;
  const at = plain.indexOf("//", scheme);
  const folder = parseFolder(at < 0 ? "" : plain.slice(at + 2));
  if ("ok" in folder) return folder;
  const base = at < 0 ? plain : plain.slice(0, at);
  const repository = scheme === 0 ? scpRepository(base) : urlRepository(base);
  if (!repository.ok) return repository;
  return {
    ...repository,
    ...(skill !== undefined && { skill }),
    ...suffix,
    ...(folder.path !== "" && { path: folder.path }),
  };
}

function scpRepository(text: string): GitSource | PackFailure {
  if (!SCP.test(text) || /::|#/.test(text)) return invalid(text);
  return { ok: true, kind: "git", source: text, url: text, transport: "ssh", notes: [] };
}

function urlRepository(text: string): GitSource | PackFailure {
  // Backslashes and blanks are read differently by different programs; after `#` comes the ref.
  if (!URL.canParse(text) || /[\s\\#]/.test(text)) return invalid(text);
  const url = new URL(text);
  const transport = url.protocol.slice(0, -1);
  if (!isTransport(transport)) return invalid(text);
  const isLocal = transport === "file";
  if (isLocal ? url.host !== "" : !/^[A-Za-z0-9[]/.test(url.hostname)) return invalid(text);
  if (/^\/*-/.test(url.pathname) || /^\/*$/.test(url.pathname) || url.username.startsWith("-")) {
    return invalid(text);
  }
  if (transport === "http" && !isLoopbackName(url.hostname)) {
    return sourceFailure("source-invalid", `${foreignText(text)} is not encrypted`, {
      hint: "Use https or ssh.",
    });
  }
  const shown = recordedUrl(url);
  const hadSecrets = shown.href !== url.href;
  return {
    ok: true,
    kind: "git",
    source: sourceText(shown, transport),
    url: url.href,
    transport,
    notes: hadSecrets ? [CREDENTIALS_NOTE] : [],
  };
}

/** What would be read as a page without `git+` keeps it; what is on GitHub has a short form. */
function sourceText(url: URL, transport: GitSource["transport"]): string {
  const github = /^https:\/\/(?:www\.)?github\.com\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/i.exec(
    url.href,
  );
  const [, owner = "", name = ""] = github ?? [];
  if (OWNER.test(owner) && REPOSITORY.test(name) && !/^\.+$/.test(name)) return `${owner}/${name}`;
  const isPage = transport === "https" || transport === "http";
  return isPage && !/\.git\/?$/i.test(url.pathname) ? `git+${url.href}` : url.href;
}

function isTransport(text: string): text is GitSource["transport"] {
  return ["https", "http", "ssh", "git", "file"].includes(text);
}

function invalid(text: string): PackFailure {
  return sourceFailure("source-invalid", `“${foreignText(text)}” is no URL of a repository`, {
    hint: "Write https://host/owner/repo.git, ssh://git@host/owner/repo or git@host:owner/repo.",
  });
}
