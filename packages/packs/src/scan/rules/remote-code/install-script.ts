import type { ScanFile, ScannedSkill } from "../../context/scan-line.ts";
import type { PlacedSuspicion, ScanCheck } from "../../scan-check.ts";

const HOOK =
  /"(preinstall|install|postinstall|prepare|preprepare|postprepare)"\s*:\s*"((?:[^"\\\n]|\\.){1,400})"/g;
const RUNS_FILE =
  /\b(?:node|bun|deno run|tsx|python3?|(?:ba|z)?sh)\s+(?:-{1,2}[\w=-]{1,20}\s+){0,4}["']?(?:\.\/)?([\w./-]{1,120})/;
/** They look through a machine for secrets. */
const SEARCHES =
  /\b(?:trufflehog|gitleaks|noseyparker|detect-secrets|mimikatz|lazagne)\b[^\n]{0,80}|\bprocess\.env\b(?![.[\w])|\bos\.environ\b(?!\.get|\[)/i;
const SENDS_OR_RUNS =
  /\bcurl\b|\bwget\b|\biwr\b|invoke-webrequest|base64|\beval\b|\bnc\s|node\s+-e\s|python3?\s+-c\s|\|\s*(?:ba)?sh\b/i;

export const installScript: ScanCheck = {
  id: "install-script",
  severity: "high",
  category: "remote-code",
  summary: "Installing the skill's packages runs a script that collects secrets or fetches code.",
  explanation:
    "preinstall, postinstall and prepare run at once, before anybody could look, with all rights of the user. A build step needs no secrets and no network of its own. A script of the skill that runs there is reported as low, one that reads secrets or the environment and sends is high.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const file of skill.files) {
      if (!/(?:^|\/)package\.json$/.test(file.path) || file.path.includes("node_modules/"))
        continue;
      for (const { 0: whole, 1: hook = "", 2: command = "", index } of file.text.matchAll(HOOK)) {
        const line = file.lineAt(index + whole.indexOf(":"));
        if (SENDS_OR_RUNS.test(command)) {
          yield { line, message: `Its "${hook}" fetches, sends or hides what it runs` };
          continue;
        }
        const run = fileOf(skill, file, RUNS_FILE.exec(command)?.[1]);
        if (run === undefined) continue;
        if (isHostile(skill, run))
          yield { line, message: `Its "${hook}" runs ${run.path}, which collects and sends` };
        else yield { line, severity: "low", message: `Its "${hook}" runs ${run.path}` };
      }
    }
  },
};

function fileOf(
  skill: ScannedSkill,
  base: ScanFile,
  name: string | undefined,
): ScanFile | undefined {
  if (name === undefined) return undefined;
  const folder = base.path.slice(0, base.path.lastIndexOf("/") + 1);
  const path = `${folder}${name}`;
  return skill.files.find(
    (file) => file.path === path || file.path.replace(/\.[cm]?[jt]s$/, "") === path,
  );
}

function isHostile(skill: ScannedSkill, file: ScanFile): boolean {
  const sends = skill.sends.filter(({ line }) => line.file === file);
  if (sends.length === 0) return false;
  return (
    sends.some(({ isCapture }) => isCapture) ||
    skill.secrets.some(({ line, strength }) => line.file === file && strength === "strong") ||
    SEARCHES.test(file.text.slice(0, MAX_SEARCHED))
  );
}

const MAX_SEARCHED = 200_000;
