import logo from "../../../../brand/logo.svg";

/** An animal's paw. */
export function Logo() {
  return <img class="logo" src={logo} alt="" />;
}

const paw =
  "M0 2.2c-2.6 0-4.8 3-4.8 5.1 0 1.5 1.1 2 2.3 2 1 0 1.6-.5 2.5-.5s1.5.5 2.5.5c1.2 0 2.3-.5 2.3-2 0-2.1-2.2-5.1-4.8-5.1zM-6.6-.9a1.7 2.2 0 1 0 3.4 2.2 1.7 2.2 0 1 0-3.4-2.2zM-3.6-4.4a1.7 2.2 0 1 0 3.4 0 1.7 2.2 0 1 0-3.4 0zM.2-4.4a1.7 2.2 0 1 0 3.4 0 1.7 2.2 0 1 0-3.4 0zM3.2 1.3A1.7 2.2 0 1 0 6.6-.9 1.7 2.2 0 1 0 3.2 1.3z";

/** An empty bowl. */
export function EmptyPicture() {
  return (
    <svg class="picture" viewBox="0 0 176 128" aria-hidden="true">
      <ellipse class="ground" cx="88" cy="112" rx="76" ry="9" />
      <ellipse class="soft" cx="88" cy="76" rx="46" ry="9" />
      <path d="M42 76c0 5 20.5 9 46 9s46-4 46-9l11 30c2 5-1 7-6 7H37c-5 0-8-2-6-7z" />
      <path class="bright" d={paw} transform="translate(88 98) scale(1.25)" />
    </svg>
  );
}

/** A dog and a cat that look over the edge of the form below them. */
export function Greeters() {
  return (
    <svg class="greeters" viewBox="0 0 400 84" aria-hidden="true">
      <svg width="400" height="84">
        <path class="dog" d="M84 96c0-46 16-70 46-70s46 24 46 70z" />
        <path
          class="dog-ear"
          d="M100 36c-18-8-36 8-37 34-.5 14 8 19 15 14 8-6 8-28 24-40zM160 36c18-8 36 8 37 34 .5 14-8 19-15 14-8-6-8-28-24-40z"
        />
        <path class="muzzle" d="M106 96c0-18 10-28 24-28s24 10 24 28z" />
        <ellipse class="nose" cx="130" cy="71" rx="7.5" ry="5" />
        <path
          class="cat"
          d="m232 70 1-38c0-5 4-6 7-3l18 18c9-3 19-3 28 0l18-18c3-3 7-2 7 3l1 38c3 8 4 16 4 26h-88c0-10 1-18 4-26z"
        />
        <path class="cat-ear" d="m240 52 .5-12 10 10zM304 52l-.5-12-10 10z" />
        <path class="nose" d="M268 76h8l-4 4.500z" />
        <path class="whiskers" d="m248 78-24-4m24 9-24 1m72-6 24-4m-24 9 24 1" />
        <ellipse class="eye" cx="114" cy="55" rx="6" ry="6.5" />
        <ellipse class="eye" cx="146" cy="55" rx="6" ry="6.5" />
        <ellipse class="eye" cx="256" cy="65" rx="6" ry="6.5" />
        <ellipse class="eye" cx="288" cy="65" rx="6" ry="6.5" />
        <circle class="pupil" cx="114" cy="55" r="3.6" />
        <circle class="pupil" cx="146" cy="55" r="3.6" />
        <ellipse class="pupil" cx="256" cy="65" rx="2.4" ry="5" />
        <ellipse class="pupil" cx="288" cy="65" rx="2.4" ry="5" />
      </svg>
      <path
        class="dog"
        d="M78 86a11 11 0 0 1 22 0v3a9 9 0 0 1-9 9h-4a9 9 0 0 1-9-9zM160 86a11 11 0 0 1 22 0v3a9 9 0 0 1-9 9h-4a9 9 0 0 1-9-9z"
      />
      <path
        class="cat"
        d="M232 86a9 9 0 0 1 18 0v2a8 8 0 0 1-8 8h-2a8 8 0 0 1-8-8zM294 86a9 9 0 0 1 18 0v2a8 8 0 0 1-8 8h-2a8 8 0 0 1-8-8z"
      />
    </svg>
  );
}
