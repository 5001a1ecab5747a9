// How long somebody looked at a card, and for how long they were away meanwhile.

const clock = {
  active: 0,
  away: 0,
  since: performance.now(),
  present: !document.hidden,
  tick() {
    const now = performance.now();
    this[this.present ? "active" : "away"] += now - this.since;
    this.since = now;
    this.present = !document.hidden;
  },
  restart() {
    this.tick();
    this.active = 0;
    this.away = 0;
  },
  read() {
    this.tick();
    return { active_ms: Math.round(this.active), away_ms: Math.round(this.away) };
  },
};
document.addEventListener("visibilitychange", () => clock.tick());
