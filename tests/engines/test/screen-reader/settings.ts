/** A message bus without services: it starts no program of the machine. */
export const busConfiguration = (directory: string) => `<!DOCTYPE busconfig PUBLIC
  "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=${directory}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/** Firefox tells the bus of accessibility what it shows, and shows nothing but the page. */
export const preferences = Object.entries({
  "accessibility.force_disabled": -1,
  "app.normandy.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "intl.locale.requested": "en-US",
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "signon.rememberSignons": false,
  "termsofuse.bypassNotification": true,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
  "ui.prefersReducedMotion": 1,
})
  .map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`)
  .join("");

const defaultProfile = ["Default", "default"];

/**
 * Orca prints what it speaks: see `spoken.py`. It echoes letters that a field has taken, not the
 * keys.
 */
export const orcaSettings = {
  general: {
    speechServerFactory: "spoken",
    enableSpeech: true,
    enableBraille: false,
    enableSound: false,
    sayAllOnLoad: false,
    enableKeyEcho: false,
    enableEchoByCharacter: true,
    startingProfile: defaultProfile,
    firstStart: false,
  },
  profiles: { default: { profile: defaultProfile, pronunciations: {}, keybindings: {} } },
  pronunciations: {},
  keybindings: {},
};
