// Written by bin/desk-types: what the server tells of a table (tournament/play/api/answers.py).

/**
 * A table as its umpires see it, with the address of everything that can be done to it; players by number.
 * @typedef {object} TableState
 * @property {string} url
 * @property {Record<string, string>} urls
 * @property {string} tournament
 * @property {number} version
 * @property {number} session
 * @property {number} table
 * @property {boolean} running
 * @property {boolean} planned
 * @property {boolean} may_record
 * @property {boolean} may_correct
 * @property {ClockState | null} clock
 * @property {boolean} counts_totals
 * @property {boolean} may_give_time
 * @property {boolean} may_rule
 * @property {boolean} judges
 * @property {boolean} is_in
 * @property {boolean} may_reopen
 * @property {string} in_at
 * @property {string} in_by
 * @property {boolean} is_full
 * @property {number} played
 * @property {number} minutes
 * @property {number} next
 * @property {number} hands_in_all
 * @property {Round} round
 * @property {SeatState[]} seats
 * @property {number | null} unpaid
 * @property {HandState[]} hands
 * @property {UndoState | null} undo
 * @property {Restraint[]} restraints
 * @property {AbsenceState[]} absences
 * @property {EmptySeat[]} empty_seats
 * @property {PenaltyState[]} penalties
 * @property {AppealState[]} appeals
 * @property {boolean} may_appeal
 * @property {string} appeals_until
 * @property {boolean} is_final
 * @property {boolean} appeals_at_once
 * @property {Record<number, ((string | number | null)[])[]>} fouled_elsewhere
 * @property {AnnouncementState[]} announcements
 */

/**
 * `paused`: since when the clock of the hall stands still; `ends` as if it did not.
 * @typedef {object} ClockState
 * @property {string} ends
 * @property {string} warns
 * @property {string | null} paused
 * @property {number} minutes
 * @property {number} extra
 * @property {number} warning
 * @property {boolean} counts_last_hand
 */

/**
 * @typedef {object} Round
 * @property {string} character
 * @property {string} name
 */

/**
 * @typedef {object} SeatState
 * @property {string} side
 * @property {Wind} wind
 * @property {string} signed
 * @property {string} unsigned_because
 * @property {number} player
 * @property {string} name
 * @property {string} start
 * @property {number | null} score
 * @property {string} stand_in
 * @property {boolean} withdrawn
 * @property {string} excluded
 * @property {string} table_points
 * @property {string} signature_url
 * @property {string} stand_in_url
 */

/**
 * A hand's current version, and those before it, the newest first.
 *
 * `saved_in`: the minute in which it was saved after the time was up; `mine`: who asks entered it.
 * @typedef {object} HandState
 * @property {string} uuid
 * @property {number} version
 * @property {string} outcome
 * @property {number | null} winner
 * @property {number | null} discarder
 * @property {number | null} points
 * @property {Record<string, any> | null} announced
 * @property {number[]} claimants
 * @property {string} override
 * @property {string} overridden
 * @property {string} dispute
 * @property {boolean} deepens
 * @property {Record<string, number>} payments
 * @property {string} text
 * @property {string} by
 * @property {string} at
 * @property {string} reason
 * @property {string} url
 * @property {number} number
 * @property {Round} round
 * @property {Record<number, Place>} places
 * @property {number[]} absent
 * @property {Record<string, any> | null} tiles
 * @property {LaidTile[][]} laid
 * @property {HandVersion[]} before
 * @property {number | null} saved_in
 * @property {boolean} mine
 */

/**
 * The hand that this person may take back, and until when.
 * @typedef {object} UndoState
 * @property {number} number
 * @property {string} until
 */

/**
 * What penalties forbid a player in a hand; `barred`: why the player may not win it, or nothing.
 *
 * `params` are what that sentence says, for a desk that judges a hand by itself.
 * @typedef {object} Restraint
 * @property {number | null} hand
 * @property {number} player
 * @property {string[]} marks
 * @property {string} barred
 * @property {Record<string, any>} params
 */

/**
 * Who is missing, or came and is still to be fined.
 *
 * `minutes`: how late the player came, null while missing; `in_all`: what the whole session makes; `until`: when the
 * clock stops by itself; `fined`: a no-show has the penalty already; `begun_because`: why the others do not wait.
 * @typedef {object} AbsenceState
 * @property {string} url
 * @property {string} uuid
 * @property {number} player
 * @property {string} since
 * @property {string} until
 * @property {number | null} minutes
 * @property {number} in_all
 * @property {boolean} fined
 * @property {string} begun_because
 * @property {LatenessStep[]} steps
 */

/**
 * A seat in which nobody wins, discards or claims; `too_early` is what is said while the others wait.
 * @typedef {object} EmptySeat
 * @property {number} hand
 * @property {number} player
 * @property {string} why
 * @property {string} too_early
 */

/**
 * A penalty for the desk, as text. `undo`: where and until when this user can undo it.
 *
 * `effects`: points by player. `unpaid`: points paid to nobody. `instead_of`: the foul book's proposal.
 * @typedef {object} PenaltyState
 * @property {string} url
 * @property {string} uuid
 * @property {number} player
 * @property {string} name
 * @property {string} key
 * @property {string} foul
 * @property {string} sanction
 * @property {number | null} hand
 * @property {Record<string, number>} effects
 * @property {number} unpaid
 * @property {string} instead_of
 * @property {string} because
 * @property {string} note
 * @property {string} by
 * @property {string} at
 * @property {UndoUntil | null} undo
 * @property {boolean} cancelled
 * @property {string} cancelled_by
 * @property {string} cancelled_because
 */

/**
 * An appeal for the desk. `state`: open, pending, carried_out, waived or dismissed.
 * @typedef {object} AppealState
 * @property {string} uuid
 * @property {string} name
 * @property {number | null} hand
 * @property {string | null} penalty
 * @property {string} text
 * @property {string} at
 * @property {string} by
 * @property {boolean} open
 * @property {string} state
 * @property {string} ruling
 * @property {string} settled_because
 */

/**
 * @typedef {object} AnnouncementState
 * @property {string} uuid
 * @property {string} text
 * @property {string} language
 * @property {string} tables
 * @property {string} at
 * @property {string} ends
 */

/**
 * @typedef {object} Wind
 * @property {string} code
 * @property {string} name
 * @property {string} character
 * @property {string} letter
 * @property {boolean} dealer
 */

/**
 * Where a player sits in a hand: the side of the picture and the wind.
 * @typedef {object} Place
 * @property {string} side
 * @property {Wind} wind
 */

/**
 * @typedef {object} LaidTile
 * @property {string} code
 * @property {boolean} side
 * @property {boolean} win
 */

/**
 * A hand as it was entered once; `payments` by player.
 * @typedef {object} HandVersion
 * @property {string} uuid
 * @property {number} version
 * @property {string} outcome
 * @property {number | null} winner
 * @property {number | null} discarder
 * @property {number | null} points
 * @property {Record<string, any> | null} announced
 * @property {number[]} claimants
 * @property {string} override
 * @property {string} overridden
 * @property {string} dispute
 * @property {boolean} deepens
 * @property {Record<string, number>} payments
 * @property {string} text
 * @property {string} by
 * @property {string} at
 * @property {string} reason
 */

/**
 * @typedef {object} LatenessStep
 * @property {number} from
 * @property {number} to
 * @property {string} label
 * @property {string} until
 * @property {string} text
 */

/**
 * @typedef {object} UndoUntil
 * @property {string} url
 * @property {string} until
 */

export {};
