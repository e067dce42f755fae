import type { ScanLine } from "../../context/scan-line.ts";
import { isForbidden, isMessage, isPattern, isTaught } from "../../context/teaching-context.ts";
import type { PlacedSuspicion, ScanCheck } from "../../scan-check.ts";

const ESCALATES =
  /nopasswd\s*:\s*all|(?:>{1,2}|tee\s+(?:-a\s+)?|visudo\b[^\n]{0,40})\s*["']?\/etc\/sudoers|chmod\s+(?:-\w+\s+)?(?:u\+s|\+s|[42467]7[0-7]{2}|4[0-7]{3})\s+["']?[/$~]|chmod\s+-r\s+777\s+["']?\/(?:\s|$|["'])|chmod\s+(?:-r\s+)?777\s+["']?\/(?:etc|usr|bin|var|home|root)?\/?(?:\s|$|["'])|usermod\s+-\w*g\w*\s+(?:sudo|wheel|root|docker)\b|useradd\b[^\n]{0,60}-(?:o\s+-u|u)\s*0\b|setcap\s+[^\n]{0,40}cap_(?:setuid|sys_admin|dac_override)|net\s+localgroup\s+administrators\s+\S+\s+\/add|dscl\s+\.\s+-append\s+\/groups\/admin|echo\s[^\n|]{1,60}\|\s*sudo\s+-s\b/;

export const privilegeEscalation: ScanCheck = {
  id: "privilege-escalation",
  severity: "high",
  category: "privilege",
  summary:
    "Rights of the system are widened for good: sudo without password, setuid, everybody may write.",
  explanation:
    "A single sudo asks the person each time. Lines in sudoers, setuid bits and new administrators remove that question for everything that comes later.",
  words: [
    "nopasswd",
    "sudoers",
    "visudo",
    "chmod",
    "usermod",
    "useradd",
    "setcap",
    "localgroup",
    "dscl",
    "sudo -s",
  ],
  look: (line) => {
    const at = line.text.search(ESCALATES);
    if (
      at === -1 ||
      line.zone === "comment" ||
      !(line.isCode || /`/.test(line.raw)) ||
      isShown(line, at)
    )
      return undefined;
    const aboutAttacks = line.quotesAttacks;
    const { claim } = line.file.skill.profile;
    const usual =
      /usermod[^\n]{0,30}docker|usermod/.test(line.text) ||
      /linux|server|sysadmin|ansible|vps|provision|docker|devops|deploy|infra|homelab|raspberry|sudo|privilege|permission|hosting/.test(
        claim,
      );
    return {
      message: "It widens rights of the system for good",
      severity: aboutAttacks || usual ? "low" : "high",
    };
  },
};

const SWITCHES =
  /--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|--yolo\b|dangerouslydisablesandbox"?\s*[:=]\s*true|danger-full-access|--permission-mode[= ]bypasspermissions/;
const DEFENCES =
  /setenforce\s+0|csrutil\s+(?:authenticated-root\s+)?disable|spctl\s+--(?:master|global)-disable|set-mppreference\b[^\n]{0,60}-disable\w+\s+[$]?(?:true|1)|add-mppreference\b[^\n]{0,40}-exclusionpath|netsh\s+advfirewall\s+set\s+\w+\s+state\s+off|(?:systemctl|service)\s+(?:stop|disable)\s+(?:auditd|falcon\S*|clamav\S*|crowdstrike\S*|osqueryd|wazuh\S*|sentinel\S*|apparmor|firewalld|ufw)|ufw\s+disable|set-executionpolicy\s+(?:-\w+\s+)?(?:unrestricted|bypass)[^\n]{0,60}(?:localmachine|-force)|killall\s+(?:-\w+\s+)?(?:xprotect\w*|littlesnitch|lulu)|sc\s+(?:stop|config)\s+windefend/;
const QUARANTINE = /xattr\s+-\w*[dc]\w*\s+[^\n]{0,60}|com\.apple\.quarantine/;

export const safeguardDisabled: ScanCheck = {
  id: "safeguard-disabled",
  severity: "high",
  category: "privilege",
  summary: "A safeguard of the agent or the system is switched off.",
  explanation:
    "Sandboxes, approvals, virus scanners and quarantine protect exactly against skills. Starting another agent without approvals is reported as medium, since orchestrating skills do it openly; switching off the system's defences is high.",
  words: [
    "--dangerously",
    "--yolo",
    "disablesandbox",
    "danger-full-access",
    "bypasspermissions",
    "setenforce",
    "csrutil",
    "spctl",
    "mppreference",
    "advfirewall",
    "auditd",
    "falcon",
    "clamav",
    "crowdstrike",
    "osqueryd",
    "wazuh",
    "apparmor",
    "ufw disable",
    "executionpolicy",
    "xprotect",
    "littlesnitch",
    "windefend",
    "xattr",
    "com.apple.quarantine",
    "firewalld",
    "sentinel",
  ],
  look: (line) => {
    if (!DEFENCES.test(line.text) && !QUARANTINE.test(line.text) && !SWITCHES.test(line.text))
      return undefined;
    if (line.zone === "comment" || (line.isProse && !line.raw.includes("`"))) return undefined;
    const aboutAttacks = line.quotesAttacks;
    const { claim } = line.file.skill.profile;
    const defence = line.text.search(DEFENCES);
    if (defence !== -1 && !isShown(line, defence)) {
      const usual =
        aboutAttacks ||
        /linux|server|sysadmin|firewall|selinux|network|devops|hardening|troubleshoot|provision/.test(
          claim,
        );
      return {
        message: "It switches a defence of the system off",
        severity: usual ? "low" : "high",
      };
    }
    if (
      QUARANTINE.test(line.text) &&
      /quarantine|xattr\s+-c/.test(line.text) &&
      !isShown(line, 0)
    ) {
      const fetched = /\b(?:curl|wget|unzip|download)\b/.test(line.around(10, 4));
      return {
        message: "It removes the mark by which macOS checks a download",
        severity: fetched && line.zone === "code" ? "high" : "medium",
      };
    }
    const at = line.text.search(SWITCHES);
    if (at === -1 || isShown(line, at)) return undefined;
    return { message: "It starts an agent without approvals or sandbox", severity: "medium" };
  },
};

const BROAD = /^allowed[-_]?tools\s*:\s*(.*)/im;

export const broadTools: ScanCheck = {
  id: "broad-tools",
  severity: "low",
  category: "privilege",
  summary: "The skill asks for all tools or all commands at once.",
  explanation:
    "`allowed-tools` is a grant in some hosts: `*` and `Bash(*)` let the skill do anything without a question. Name the tools and commands that the steps need.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    const { frontmatter } = skill.profile;
    const file = skill.files.find(({ path }) => path === "SKILL.md");
    const found = BROAD.exec(frontmatter);
    if (file === undefined || found === null) return;
    const value =
      found[1]?.trim() === ""
        ? frontmatter.slice(found.index, found.index + 600)
        : (found[1] ?? "");
    const line = file.lineAt(found.index);
    if (/(?:^|[\s,["'-])\*(?:["'\s,\]]|$)/.test(value))
      yield { line, message: "It asks for every tool", severity: "medium" };
    else if (/\b(?:bash|shell|execute)\(\s*(?:\*|:\*|\*:\*)\s*\)/i.test(value))
      yield { line, message: "It asks for every command" };
  },
};

function isShown(line: ScanLine, at: number): boolean {
  if (line.file.kind === "prose") return isTaught(line) || isForbidden(line, at);
  return isPattern(line) || isMessage(line, at);
}
