import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { sourceFailure } from "../source-failure.ts";
import { isLoopbackName } from "../web/address-reach.ts";
import { parseForgePage } from "./parse-forge-page.ts";
import { parseGitUrl } from "./parse-git-source.ts";
import type { GitSource, WebSource } from "./parsed-source.ts";
import { recordedUrl } from "./recorded-url.ts";
import { parseFragment, type SourceSuffix, splitFragment } from "./source-suffix.ts";

const DIRECT = /\.(?:zip|skill|tgz|tar\.gz)$|(?:^|\/)skill\.md$/i;
const REPOSITORY = /\.git(?:\/*$|\/\/|@[^@/]+$)/i;

/** A page of a forge, a repository, an archive, a SKILL.md, or a site with an index. */
export function parseWebSource(text: string): WebSource | GitSource | PackFailure {
  const [place, fragment] = splitFragment(text);
  const checked = checkUrl(place);
  if (!checked.ok) return checked;
  const suffix = parseFragment(fragment);
  if ("ok" in suffix) return suffix;
  const page = parseForgePage(checked.url, suffix);
  if (page !== undefined) return page;
  // As it was typed: a URL would have resolved the folder after `//`.
  if (REPOSITORY.test(place.replace(/\?.*/, ""))) return parseGitUrl(text);
  const kind = DIRECT.test(checked.url.pathname) ? "url" : "well-known";
  return webSource(kind, checked.url, suffix);
}

/** `url:` says that the URL is that of an archive, whatever it looks like. */
export function parseDirectUrl(text: string): WebSource | PackFailure {
  const [place, fragment] = splitFragment(text);
  const checked = checkUrl(place);
  if (!checked.ok) return checked;
  const suffix = parseFragment(fragment);
  return "ok" in suffix ? suffix : webSource("url", checked.url, suffix);
}

function checkUrl(text: string): { readonly ok: true; readonly url: URL } | PackFailure {
  if (!URL.canParse(text) || /[\s\\#]/.test(text)) {
    return sourceFailure("source-invalid", `“${foreignText(text)}” is no URL`);
  }
  const url = new URL(text);
  const isPlain = url.protocol === "http:" && isLoopbackName(url.hostname);
  if (url.protocol === "https:" || isPlain) return { ok: true, url };
  const message = `${foreignText(text)} is not encrypted`;
  return sourceFailure("source-invalid", message, { hint: "Use https." });
}

function webSource(
  kind: WebSource["kind"],
  url: URL,
  { ref, skill }: SourceSuffix,
): WebSource | PackFailure {
  if (ref !== undefined) {
    return sourceFailure("source-invalid", `“#${foreignText(ref)}” says nothing for this URL`, {
      hint: "Only a repository has branches, tags and commits; write git+https://… for one.",
    });
  }
  const shown = recordedUrl(url);
  const hadSecrets = shown.href !== url.href;
  return {
    ok: true,
    kind,
    source: shown.href,
    url: url.href,
    notes: hadSecrets ? ["the credentials in the URL are used now and not recorded"] : [],
    ...(skill !== undefined && { skill }),
  };
}
