import type { ScanLine } from "../../context/scan-line.ts";
import { isMessage, isPattern, isTaught } from "../../context/teaching-context.ts";
import type { ScanCheck } from "../../scan-check.ts";
import type { ScanSeverity } from "../../scan-finding.ts";

const SCHEDULE =
  /\bcrontab\s+(?:-\s*$|-["')]|[^-\s|])|\|\s*crontab\b|crontab\s+-["']?,|>{1,2}\s*["']?\/etc\/cron|\/etc\/cron(?:tab|\.d|\.daily|\.hourly)\/?[\w-]{0,30}|\/var\/spool\/cron|systemctl\s+(?:--user\s+)?enable\b|>{1,2}?\s*["']?(?:\/etc\/systemd|~\/\.config\/systemd|[$]home\/\.config\/systemd)|\/systemd\/(?:system|user)\/[\w@.-]{1,60}\.(?:service|timer)|launchctl\s+(?:load|bootstrap|submit)|library\/launch(?:agents|daemons)|schtasks\s+\/create|register-scheduledtask|currentversion\\{1,2}run\b|start menu\\programs\\startup|\.config\/autostart|\/etc\/rc\.local|\/etc\/init\.d\/|new-itemproperty[^\n]{0,80}\\run\b|@reboot/;
const PROFILE =
  /(?:>{1,2}|tee\s+-a)\s*["']?(?:~|[$]\{?home\}?|\/root|\/home\/\w+|[$]\w+)?\/?\.?(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|\.zprofile|\.zshenv|\.bash_login|\.config\/fish\/config\.fish|bash_aliases)\b|(?:>{1,2})\s*["']?\/etc\/(?:profile|bash\.bashrc|environment|zshrc)|(?:open|appendfile(?:sync)?|writefile(?:sync)?|path)\s*\([^\n]{0,100}\.(?:bashrc|zshrc|profile|bash_profile|zshenv)\b|\$profile\b[^\n]{0,40}(?:add-content|out-file)|add-content\s+[^\n]{0,20}\$profile/;
const HARMFUL =
  /\b(?:curl|wget|nc|ncat)\b|\/dev\/tcp|base64|\beval\b|python3?\s+-c|\biex\b|invoke-webrequest|downloadstring|powershell[^\n]{0,40}-(?:e|w|windowstyle)|ld_preload|dyld_insert|prompt_command|alias\s+(?:sudo|ssh|su|git|cd|ls|npm|pip|aws|kubectl)=|nohup|\/tmp\/\.|\/dev\/shm|\.cache\/\.|\/\.[a-z]\w{1,20}\/[\w.-]{1,40}\.(?:sh|py|js)|disown|\b(?:beacon|payload|implant|backdoor|keepalive|updater?d?)\b|https?:\/\//;
const SETUP =
  /export\s+(?:path|\w*(?:home|root|key|token|dir|path|url|region|editor|lang)\w*)\b|\b(?:nvm|pyenv|rbenv|conda|brew|starship|direnv|zoxide|fzf|completion|cargo|volta|fnm|mise|asdf|sdkman|thefuck|oh-my-zsh|atuin)\b|source\s|alias\s+\w+=/;

export const startupPersistence: ScanCheck = {
  id: "startup-persistence",
  severity: "high",
  category: "persistence",
  summary: "Something is put where it starts by itself: a timer, a service, a shell profile.",
  explanation:
    "What starts by itself outlives the skill and the session. A download, an encoded command or a hidden file started that way is a backdoor and high; a schedule that the description speaks of is no finding. Let the user install schedules knowingly.",
  words: [
    "crontab",
    "/cron",
    "systemctl",
    "systemd",
    "launchctl",
    "launchagents",
    "launchdaemons",
    "schtasks",
    "scheduledtask",
    "currentversion",
    "autostart",
    "rc.local",
    "init.d",
    "@reboot",
    ".bashrc",
    ".zshrc",
    ".profile",
    ".bash_profile",
    ".zprofile",
    ".zshenv",
    "/etc/profile",
    "$profile",
    "config.fish",
    "programs",
    "bash_aliases",
    ".bash_login",
  ],
  look: (line) => {
    const schedule = line.text.search(SCHEDULE);
    const profile = line.text.search(PROFILE);
    const at = Math.max(schedule, profile);
    if (
      at === -1 ||
      line.zone === "comment" ||
      (line.isProse && !line.raw.includes("`")) ||
      isQuiet(line, at)
    )
      return undefined;
    const near = line.zone === "code" || line.zone === "fence" ? line.around(8, 8) : line.text;
    const severity = judge(line, near, schedule !== -1);
    return severity === undefined
      ? undefined
      : {
          message:
            schedule === -1
              ? "It changes what every new shell runs"
              : "It makes something start by itself",
          severity,
        };
  },
};

function judge(line: ScanLine, near: string, isSchedule: boolean): ScanSeverity | undefined {
  const aboutAttacks = line.quotesAttacks;
  const { claim } = line.file.skill.profile;
  const explained = isSchedule
    ? /schedul|cron|daemon|service|systemd|launchd|startup|background|automat|timer|server|deploy|devops|infra|linux|monitor|recurring|heartbeat|daily|periodic|docker|nginx|agent gateway|self-host|reminder|sync|backup|backs? up|bot\b|remind|watch|rotat|update/.test(
        claim,
      )
    : /shell|terminal|dotfile|zsh|bash|alias|install|setup|environment|cli\b|config/.test(claim);
  const own = line.text.replaceAll(/https?:\/\/\S+\/(?:docs|wiki)\S*/g, "");
  const harmful =
    HARMFUL.test(isSchedule ? near : own) &&
    !(isSchedule
      ? false
      : SETUP.test(own) &&
        !/curl|wget|base64|\/dev\/tcp|ld_preload|alias\s+(?:sudo|ssh|su)=/.test(own));
  if (aboutAttacks && line.zone !== "code") return undefined;
  if (
    harmful &&
    isLoaded(isSchedule ? near : own) &&
    (line.zone === "code" || !explained || /\|\s*(?:ba)?sh\b/.test(own))
  )
    return "high";
  if (line.zone === "code" && !explained) return harmful ? "high" : "medium";
  return undefined;
}

/** More than a web address somewhere near. */
function isLoaded(text: string): boolean {
  return /(?:curl|wget)\b[^\n]{0,200}(?:\|\s*(?:ba|z)?sh|-o\s|\s-d\b|[$]\(|>\s*\/dev\/null)|\/dev\/tcp|base64\s+-+d|\beval\b|python3?\s+-c|\biex\b|downloadstring|powershell[^\n]{0,40}-(?:e|w)|ld_preload|dyld_insert|prompt_command|alias\s+(?:sudo|ssh|su)=|\/tmp\/\.|\/dev\/shm|\/\.[a-z][\w.-]{1,30}\/[\w./-]{0,40}\.(?:sh|py|js)|\bnc\s|beacon|payload|implant|backdoor/.test(
    text,
  );
}

function isQuiet(line: ScanLine, at: number): boolean {
  if (line.file.kind === "prose") return isTaught(line);
  return isPattern(line) || isMessage(line, at);
}
