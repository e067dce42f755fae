const COLUMNS = [1, 2, 3, 4, 5, 6]
  .map((sides) => {
    const columns = `minmax(0, 1fr) repeat(${sides}, minmax(5.5rem, ${sides > 3 ? "7rem" : "9rem"}))`;
    return `.cases[data-sides="${sides}"] :is(.heads, .case > summary) { grid-template-columns: ${columns}; }`;
  })
  .join("\n");

/** The list of cases, and a case that is open. Rows outside the window cost nothing. */
export const CASE_STYLE = `
.toolbar { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: 0.6rem 1rem; padding: 0.75rem 0; background: var(--paper); border-bottom: 1px solid var(--line); }
.toolbar fieldset { border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.15rem; margin: 0; display: flex; background: var(--tint); }
.toolbar legend { position: absolute; left: -100vw; }
.toolbar label { position: relative; cursor: pointer; }
.toolbar input[type="radio"] { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
.toolbar label span { display: block; padding: 0.2rem 0.75rem; border-radius: 0.35rem; font-size: 0.875rem; }
.toolbar :checked + span { background: var(--card); font-weight: 600; box-shadow: 0 0 0 1px var(--line); }
.toolbar :focus-visible + span { outline: 2px solid var(--accent); }
.toolbar input[type="search"] { flex: 1 1 14rem; min-width: 0; font: inherit; font-size: 0.875rem; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.35rem 0.75rem; }
.toolbar output { color: var(--soft); font-size: 0.8125rem; min-width: 7.5rem; }
.heads, .case > summary { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.25rem 1rem; align-items: baseline; }
${COLUMNS}
.heads { color: var(--soft); font-size: 0.8125rem; padding: 0.75rem 0.5rem 0.35rem 1.75rem; border-bottom: 1px solid var(--line); }
.case { border-bottom: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 2.5rem; scroll-margin-top: 5rem; }
.case > summary { position: relative; padding: 0.5rem 0.5rem 0.5rem 1.75rem; list-style: none; font-size: 0.875rem; scroll-margin-top: 5rem; }
.case > summary::-webkit-details-marker { display: none; }
.case > summary::before { content: "›"; position: absolute; left: 0.75rem; top: 0.5rem; color: var(--soft); transition: transform 0.12s; }
.case[open] > summary::before { transform: rotate(90deg); }
.case > summary:hover { background: var(--tint); }
.case > summary:focus-visible { outline-offset: -2px; }
.case .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
.case .name { font-weight: 500; } .case .name small { margin-left: 0.5rem; }
.case[open] { background: var(--card); }
.case[open] .name { white-space: normal; font-weight: 600; }
.inside { padding: 0.25rem 1.75rem 1.75rem; }
.inside p, .inside pre, .inside li, .inside td { unicode-bidi: isolate; }
.request, .inside pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 0.75rem; max-width: none; }
.request { border-left: 3px solid var(--line); padding: 0.1rem 0 0.1rem 0.9rem; }
.inside pre { background: var(--tint); border-radius: 0.4rem; padding: 0.5rem 0.75rem; max-height: 24rem; overflow: auto; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); gap: 0.5rem 2.5rem; }
.side { min-width: 0; } .side > h3 { margin-top: 1rem; display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; }
.trials { display: flex; flex-wrap: wrap; gap: 0.3rem; margin: 0.35rem 0; } .trials [aria-pressed="true"] { font-weight: 600; border-color: var(--accent); }
.grades, .timeline { list-style: none; padding: 0; margin: 0; }
.grades > li { padding: 0.35rem 0 0.35rem 1.4rem; border-bottom: 1px solid var(--line); position: relative; font-size: 0.875rem; overflow-wrap: anywhere; }
.grades > li > .mark { position: absolute; left: 0; }
.grades .evidence { display: block; color: var(--soft); font-size: 0.8125rem; white-space: pre-wrap; } 
.grades pre.evidence { display: block; margin: 0.3rem 0 0; color: var(--ink); font-size: 0.75rem; white-space: pre; overflow-wrap: normal; }
.timeline > li { font-size: 0.8125rem; } .timeline summary { display: grid; grid-template-columns: 4.2rem 5rem minmax(0, 1fr); gap: 0.6rem; align-items: center; padding: 0.2rem 0; list-style: none; }
.timeline summary > span:first-child { text-align: right; color: var(--soft); }
.timeline svg { width: 100%; height: 0.5rem; background: var(--tint); border-radius: 0.2rem; } .timeline rect { fill: var(--accent); } .timeline .failed rect { fill: var(--bar-fail); }
.timeline b { font-weight: 500; }
.timeline pre { margin: 0.2rem 0 0.5rem; font-size: 0.75rem; max-height: 14rem; }
.case [data-side]::before { content: attr(data-side) " "; }
.skip-visually, .case [data-side]::before { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
table.diff { border-collapse: collapse; width: 100%; table-layout: fixed; font-size: 0.8125rem; }
table.diff th, table.diff td { text-align: left; font-weight: 400; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; vertical-align: top; }
table.diff th:first-child, table.diff td:first-child { width: 2rem; text-align: center; color: var(--soft); font-weight: 600; }
table.diff thead th { color: var(--soft); }
table.diff tr.gone td:nth-child(2) { background: rgb(var(--wrong) / 0.1); } table.diff tr.new td:nth-child(3) { background: rgb(var(--right) / 0.12); }
.transcript .turn { margin: 0.5rem 0; } .transcript .turn > b { font-weight: 600; font-size: 0.8125rem; }
.transcript summary { font-size: 0.8125rem; color: var(--soft); margin-top: 0.75rem; }
@media (max-width: 40rem) {
  .heads { display: none; }
  .cases[data-sides] .case > summary { grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); padding-left: 1.25rem; font-size: 0.875rem; }
  .case > summary::before { left: 0.15rem; }
  .case [data-side]::before { position: static; clip-path: none; display: block; width: auto; height: auto; color: var(--soft); font-size: 0.75rem; }
  .case .name { grid-column: 1 / -1; white-space: normal; }
  .inside { padding: 0.25rem 0.25rem 1.25rem; }
  .toolbar { position: static; } .toolbar fieldset { flex-wrap: wrap; } .toolbar label span { padding: 0.2rem 0.5rem; }
}
`;
