import type { ScanCheck, PlacedSuspicion } from "../scan-check.ts";
import type { ScanFile, ScannedSkill } from "../context/scan-line.ts";

/** Files that other programs obey when they find them, with what makes each of them dangerous. */
const CONTROL_FILES: readonly {
  readonly path: RegExp;
  readonly what: string;
  /** Raises the finding to high. */
  readonly runs?: RegExp;
}[] = [
  {
    path: /(?:^|\/)\.mcp\.json$|(?:^|\/)\.(?:cursor|vscode|gemini|kiro|roo)\/mcp\.json$/,
    what: "starts MCP servers",
    runs: /"command"\s*:/,
  },
  { path: /(?:^|\/)\.envrc$/, what: "is run by direnv", runs: /\S/ },
  {
    path: /(?:^|\/)\.vscode\/tasks\.json$/,
    what: "defines tasks of the editor",
    runs: /"runon"\s*:\s*"folderopen"/i,
  },
  {
    path: /(?:^|\/)\.vscode\/settings\.json$/,
    what: "sets up the editor",
    runs: /automationprofile|terminal\.integrated\.(?:profiles|env)|allowautomatictasks|schemadownload/i,
  },
  {
    path: /(?:^|\/)\.claude\/settings(?:\.local)?\.json$|(?:^|\/)hooks\/hooks\.json$/,
    what: "sets up the agent",
    runs: /"hooks"|"command"\s*:|bypasspermissions|enableallprojectmcpservers/i,
  },
  {
    path: /(?:^|\/)\.devcontainer(?:\/devcontainer)?\.json$|(?:^|\/)\.devcontainer\/devcontainer\.json$/,
    what: "sets up a container",
    runs: /"(?:initialize|onCreate|postCreate|postStart|updateContent)Command"/i,
  },
  {
    path: /(?:^|\/)\.(?:zed|idea)\/(?:tasks\.json|workspace\.xml)$/,
    what: "defines tasks of the editor",
  },
  {
    path: /(?:^|\/)(?:\.husky|\.githooks)\//,
    what: "is run by git",
    runs: /\b(?:curl|wget|nc|base64|eval)\b/,
  },
  {
    path: /(?:^|\/)(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|\.zshenv)$/,
    what: "is run by shells",
    runs: /\S/,
  },
  {
    path: /(?:^|\/)\.?mise\.toml$|(?:^|\/)\.tool-versions$/,
    what: "is obeyed by mise",
    runs: /\[(?:hooks|tasks)|_\.source/,
  },
  {
    path: /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|pip\.conf|\.pypirc)$/,
    what: "says where packages come from",
    runs: /registry\s*[=:]|index-url|ignore-scripts\s*=\s*false|yarnpath/i,
  },
  {
    path: /(?:^|\/)sitecustomize\.py$|(?:^|\/)usercustomize\.py$|\.pth$/,
    what: "is run by every Python",
    runs: /\bimport\b|exec/,
  },
];

/** An example below these is read, not obeyed. */
const SHOWN =
  /(?:^|\/)(?:assets?|templates?|examples?|references?|docs?|fixtures?|samples?|resources)\//i;

export const controlFile: ScanCheck = {
  id: "control-file",
  severity: "high",
  category: "persistence",
  summary: "The skill ships a file that editors, shells or agents obey as soon as they see it.",
  explanation:
    "`.mcp.json`, `.envrc`, a task with `folderOpen`, hooks of an agent: whoever opens the folder runs them, and nobody asked for a skill to do that. Give such files as templates with another name.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const file of skill.files) {
      const control = CONTROL_FILES.find(({ path }) => path.test(file.path));
      if (control === undefined) continue;
      const runs = control.runs?.test(file.text) === true && !SHOWN.test(file.path);
      yield {
        line: file.line(0),
        severity: runs ? "high" : "medium",
        message: `${file.path} ${control.what}`,
      };
    }
  },
};

export const nestedRepository: ScanCheck = {
  id: "nested-repository",
  severity: "critical",
  category: "persistence",
  summary: "The skill holds a Git repository, whose configuration names programs that git runs.",
  explanation:
    "Git obeys a repository that lies in a folder, also a bare one: `core.fsmonitor` or a hook there runs with the next `git status`. A skill is files; its repository stays where it was made.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const file of skill.files) {
      const folder = repositoryOf(file, skill);
      if (folder === undefined) continue;
      const runs = /\b(?:fsmonitor|hookspath|sshcommand|pager|editor|textconv|filter)\s*=/i.test(
        file.text,
      );
      yield {
        line: file.line(0),
        severity: "critical",
        message: `${folder === "" ? "The skill" : folder} is a Git repository${runs ? " that starts programs" : ""}`,
      };
    }
  },
};

/** The folder of a repository, if this is its configuration. */
function repositoryOf({ path, text }: ScanFile, { files }: ScannedSkill): string | undefined {
  const [, folder = ""] = /^(?:(.*)\/)?config$/.exec(path) ?? [];
  if (!/(?:^|\/)config$/.test(path) || !/^\s*\[core\]/im.test(text)) return undefined;
  const prefix = folder === "" ? "" : `${folder}/`;
  const has = (name: string) => files.some((file) => file.path.startsWith(prefix + name));
  return has("HEAD") || has("objects/") || has("refs/") || /^\s*bare\s*=/im.test(text)
    ? folder
    : undefined;
}
