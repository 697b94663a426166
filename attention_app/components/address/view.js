// The first address of a page with its parameters takes the place of the bare one. Done once, for the whole visit.
const push = history.pushState.bind(history);
history.pushState = (state, unused, url) => {
  const next = new URL(url ?? location.href, location.href);
  const completes = !location.search && next.search && next.pathname === location.pathname;
  if (completes) history.replaceState(state, unused, url);
  else push(state, unused, url);
};

export default function () {}
