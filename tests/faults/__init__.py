"""Faults that other servers shipped, each tested as a kind: what went wrong there, and what holds it off here.

The paths are below `tests/`; `test_index.py` sees to it that each test stands, and runs with `make test`. After a fault
`tests/harness/aftermath.py` holds the log, and what is served to everyone, to what is always true.

Races and repeats

1. The same move, posted twice at once, is recorded twice.
    faults/test_races.py::test_of_equal_moves_at_once_one_is_made_and_the_others_hear_the_current_version
    faults/test_races.py::test_of_equal_keyed_moves_at_once_one_is_made_and_all_hear_of_it
    faults/test_races.py::test_the_very_first_event_of_a_game_is_recorded_once_by_its_key
    service/play/test_commands.py::test_equal_moves_at_once_through_two_processes_are_recorded_once
2. Whoever sent a move that was refused is not told so, and goes on with a wrong board.
    faults/test_refusals.py::test_a_refusal_is_told_with_enough_to_go_on
    faults/test_refusals.py::test_every_code_that_an_operation_refuses_with_has_a_scene_or_a_reason_to_have_none
    faults/test_refusals.py::test_a_clumsy_player_who_hears_nothing_but_refusals_plays_a_game_to_its_end
3. A state is sent out before it is stored.
    faults/test_live.py::test_nobody_is_sent_an_event_whose_commit_failed
4. Two start a game at once, and the cards are dealt twice.
    faults/test_races.py::test_more_joiners_than_seats_who_click_twice_fill_exactly_the_seats_and_start_the_game_once
    faults/test_races.py::test_who_leaves_while_the_last_seat_is_taken_is_out_of_the_game_or_in_it
5. A double click gives an account two seats, or more join than there are seats.
    faults/test_races.py::test_more_joiners_than_seats_who_click_twice_fill_exactly_the_seats_and_start_the_game_once
    faults/test_races.py::test_one_account_that_takes_every_seat_at_once_gets_one
    faults/test_races.py::test_of_many_who_want_one_seat_one_gets_it_and_the_others_hear_which_are_free
6. A slow answer and a second click act twice.
    faults/test_repeats.py::test_a_second_click_is_answered_as_the_first_and_told_that_it_was
    faults/test_repeats.py::test_many_clicks_at_once_are_one_and_all_hear_the_same
7. The answer to what was done is lost, and the repeat fails or acts again.
    faults/test_repeats.py::test_an_answer_that_postgres_could_not_deliver_is_found_in_the_log
    faults/test_repeats.py::test_a_client_that_is_cut_off_before_its_answer_gets_it_by_the_key
    faults/test_crashes.py::test_a_command_whose_process_dies_at_any_point_is_executed_or_replayed_by_its_key
8. A crash between a key and its effect leaves a key that swallows the move.
    faults/test_crashes.py::test_a_command_whose_process_dies_at_any_point_is_executed_or_replayed_by_its_key
    faults/test_crashes.py::test_a_stream_of_keyed_commands_through_processes_that_are_killed_is_carried_out_once_each
    faults/test_outages.py::test_postgres_restarted_under_load_costs_nothing_but_503s_while_it_is_away
9. A request that was refused has used up its key.
    faults/test_repeats.py::test_a_refusal_leaves_the_key_for_the_right_request_and_another_body_under_it_is_refused
10. A client that slept wakes with an old state, and overwrites what has come since.
    faults/test_races.py::test_who_wakes_with_an_old_state_is_refused_and_nothing_changes
    faults/test_races.py::test_who_wakes_after_its_seat_was_taken_over_can_do_nothing_there
    service/play/test_commands.py::test_a_move_on_an_epoch_that_is_gone_is_not_made_and_can_be_made_on_the_one_that_is_there
    faults/test_restore.py::test_processes_whose_database_is_replaced_under_them_notice_and_tell_their_watchers

Secrets and spectators

11. The state is redacted, and some other way to look at the game is not.
    faults/test_secrets.py::test_no_read_at_any_version_names_what_its_caller_may_not_know
    faults/test_secrets.py::test_no_answer_to_a_command_tells_of_what_its_caller_may_not_know
    faults/test_live_secrets.py::test_no_frame_names_what_its_viewer_may_not_see
    faults/test_feed_secrets.py::test_the_lobby_knows_nothing_of_what_is_not_listed_and_of_a_delayed_game_what_lists_show
12. What is still hidden shows in the feed, or in the length of something.
    faults/test_worlds.py::test_worlds_that_differ_in_a_secret_give_the_same_bytes_over_every_operation
    faults/test_live_secrets.py::test_worlds_that_differ_in_a_secret_give_those_who_may_not_know_it_the_same_bytes
    faults/test_feed_secrets.py::test_worlds_that_differ_in_a_secret_give_the_same_notices
    conformance/test_secrets.py::test_worlds_that_differ_in_hidden_pieces_look_the_same_to_the_byte
13. What one player draws is announced to all, or stands in what they can download.
    faults/test_secrets.py::test_no_read_at_any_version_names_what_its_caller_may_not_know
    faults/test_live_secrets.py::test_no_frame_names_what_its_viewer_may_not_see
14. Spectators can act, through the one operation that was forgotten.
    contract/test_authorization.py::test_a_spectator_changes_nothing_in_a_game
    contract/test_authorization.py::test_who_has_no_token_or_a_wrong_one_changes_nothing
15. A look at a game that waits for players makes the visitor one.
    contract/test_authorization.py::test_reading_never_writes
    service/routes/test_games.py::test_reading_a_waiting_game_seats_nobody
16. What spectators see late on one channel they see at once on another.
    faults/test_delay.py::test_the_public_sees_a_running_game_so_many_versions_late_and_all_of_it_at_the_end
    faults/test_delay.py::test_nothing_of_what_is_held_back_is_told_to_who_guesses_at_it
    faults/test_live_delay.py::test_a_spectator_is_sent_no_event_early_and_all_of_them_in_order_at_the_end
    faults/test_feed_secrets.py::test_the_lobby_knows_nothing_of_what_is_not_listed_and_of_a_delayed_game_what_lists_show
    faults/test_event_stream.py::test_a_spectator_is_sent_no_event_early_and_all_of_them_in_order_at_the_end

Live

17. Whoever joins while moves are made misses one or sees one twice.
    faults/test_live.py::test_who_joins_in_a_storm_of_moves_gets_every_version_once
    faults/test_live.py::test_a_move_made_in_the_handshake_is_in_the_hello_or_after_it
    faults/test_feeds.py::test_who_follows_at_one_process_and_lists_at_another_in_a_storm_has_seen_everything
    service/live/feeds/test_feeds.py::test_what_the_lists_have_not_come_to_when_a_follow_begins_comes_as_a_notice
    faults/test_event_stream.py::test_who_joins_in_a_storm_of_moves_gets_every_version_once
18. After a restart any position that a client claims is taken for one that means something.
    faults/test_live.py::test_a_restarted_process_gives_what_came_after_a_position_or_says_that_it_means_nothing
    service/live/feeds/test_feeds_going_on.py::test_a_cursor_that_means_nothing_begins_anew_and_says_why
    faults/test_event_stream.py::test_a_restarted_process_gives_what_came_after_the_last_event_that_a_client_had
    faults/test_restore.py::test_a_backup_goes_on_in_another_cluster
19. Something comes twice where catching up ends and the live feed begins.
    faults/test_live.py::test_who_joins_in_a_storm_of_moves_gets_every_version_once
    service/live/games/test_room.py::test_a_long_game_is_resumed_in_pages_while_it_goes_on
    service/live/feeds/test_feeds_going_on.py::test_who_catches_up_in_a_storm_gets_every_notice_once
20. A reader that never reads delays the others or fills the memory.
    faults/test_live_readers.py::test_a_reader_that_never_reads_is_cut_and_the_others_get_everything
    faults/test_live_readers.py::test_a_reader_that_falls_behind_is_told_and_goes_on_where_it_was
    service/live/feeds/test_feeds_going_on.py::test_a_reader_that_stalls_is_closed_with_a_code_and_goes_on_by_its_cursor
    service/live/test_sse.py::test_a_reader_that_never_reads_is_cut_and_the_others_get_everything
21. A stream dies and nobody notices.
    service/live/test_session.py::test_heartbeats_come_while_nothing_happens
    faults/test_live.py::test_a_process_that_stops_tells_its_watchers_to_go_on_elsewhere_and_they_miss_nothing
    faults/test_live.py::test_a_process_that_is_killed_and_comes_back_costs_its_watchers_nothing
    faults/test_feeds.py::test_followers_of_a_process_that_is_killed_or_stopped_get_every_notice_once_in_the_order_of_the_log
    faults/test_event_stream.py::test_processes_that_stop_or_are_killed_cost_their_watchers_nothing
22. The connection that listens to the database dies and nobody notices.
    faults/test_live.py::test_a_terminated_listening_backend_costs_watchers_neither_a_frame_nor_the_connection
    faults/test_live.py::test_a_restarted_database_costs_watchers_neither_a_frame_nor_the_connection
    faults/test_feeds.py::test_a_terminated_listening_backend_costs_followers_nothing
    faults/test_feeds.py::test_a_database_that_goes_away_costs_followers_neither_a_notice_nor_the_connection
    faults/test_event_stream.py::test_terminated_backends_cost_watchers_neither_a_frame_nor_the_connection
23. An event that is too large for a notification is not stored.
    faults/test_live.py::test_events_of_any_size_are_stored_and_delivered
    faults/test_live.py::test_a_wake_up_for_as_many_games_as_there_are_reaches_the_watchers_of_each
24. Watchers that are cut in the middle of a send leave errors, tasks and sockets behind.
    faults/test_live_readers.py::test_a_hundred_watchers_cut_in_the_middle_of_a_send_leave_nothing_behind
    service/live/test_sse.py::test_a_client_that_hangs_up_is_let_go_of_at_once

Log and projections

25. A reader of the whole log passes a number whose predecessor is still to be committed.
    faults/test_projections.py::test_events_that_commit_later_than_those_after_them_are_not_skipped
    faults/test_projections.py::test_moves_of_many_games_with_held_commits_among_them_all_arrive
    faults/test_feeds.py::test_what_commits_late_is_told_in_its_place_and_what_is_rolled_back_is_not_waited_for
26. A reader of the whole log waits for ever for a number that was rolled back.
    faults/test_projections.py::test_numbers_that_were_rolled_back_are_not_waited_for
    faults/test_projections.py::test_a_session_that_dies_with_its_commit_held_does_not_stop_the_reader
27. An event that cannot be read is passed over, or stops everything.
    faults/test_projections.py::test_a_game_whose_first_event_cannot_be_read_is_reported_and_stops_no_other
    faults/test_projections.py::test_a_game_that_breaks_on_the_way_is_reported_and_stops_no_other
28. An old form of an event is converted where a game is played, and not where it is looked back at.
    faults/test_upcasting.py::test_every_read_path_tells_an_old_game_in_todays_form
29. A rule that was put right makes games that were played by the old one unreadable.
    logs/test_logs.py::test_an_old_log_folds_to_the_states_that_it_always_had
    faults/test_upcasting.py::test_an_old_game_goes_on_by_todays_rules_and_its_record_says_which_decided_what
    faults/test_rule_fix.py::test_after_a_rule_fix_every_version_of_every_game_is_what_it_was
    faults/test_rule_fix.py::test_moves_after_a_rule_fix_follow_it_and_each_event_says_which_rules_decided_it
30. One game that cannot be read breaks the list that it stands in.
    faults/test_projections.py::test_over_http_only_the_broken_game_answers_with_a_problem
    service/live/feeds/test_feeds.py::test_a_game_that_cannot_be_read_is_passed_over_and_others_are_told
    service/play/test_component_sets.py::test_a_game_whose_stored_set_cannot_be_read_any_more_is_unreadable_and_no_other
31. A draw is taken back once it has been looked at.
    conformance/test_undo.py::test_a_move_is_final_exactly_if_it_ended_the_game_or_drew_or_showed_someone_what_was_hidden
32. A player takes back another's move, or two with one double click.
    service/routes/test_undo.py::test_a_double_click_takes_back_one_move
    domain/kernel/test_undo.py::test_nobody_takes_back_another_seats_move
33. A game in which moves were taken back does not replay.
    domain/kernel/test_undo.py::test_play_with_undo_folds_from_its_log_to_the_same_game_at_every_version
    service/play/test_archive.py::test_play_with_undo_goes_through_restart_export_and_import_byte_for_byte
34. A file that was tampered with breaks what takes it in.
    service/routes/test_hostile_records.py::test_a_hostile_record_is_refused_by_the_line_and_nothing_is_stored
    domain/kernel/record/test_verify.py::test_a_record_with_any_single_byte_changed_is_refused_and_the_line_is_told

Input

35. NUL or half a character in a text reaches the database, and becomes a fault of the service.
    contract/test_bad_input.py::test_a_body_that_is_wrong_in_one_place_is_refused_by_that_place
    contract/test_bad_input.py::test_junk_in_a_path_is_nowhere
    contract/test_bad_input.py::test_junk_in_a_header_is_refused_or_means_nothing
36. A number that is too large, negative, a fraction or no number is taken for a version.
    contract/test_bad_input.py::test_a_query_that_is_wrong_in_one_parameter_is_refused_by_its_name
    service/http/test_body.py::test_a_number_has_one_spelling_and_bounds
37. A body that is huge, endless, deep or wide fills the memory.
    contract/test_bad_input.py::test_100_mebibytes_in_chunks_without_length_leave_the_memory_flat
    contract/test_bad_input.py::test_a_body_that_is_deep_wide_or_large_is_refused_quickly
    service/transport/test_http_protocol.py::test_a_head_that_is_too_large_is_refused_with_the_bound
38. A message that is too large ends a socket without a word.
    faults/test_live_readers.py::test_a_message_over_the_limit_is_answered_with_1009
39. Names that look alike are two names.
    service/auth/test_names.py::test_names_that_differ_only_in_how_they_are_typed_are_one
    faults/test_races.py::test_of_equal_names_at_once_one_account_is_made
40. Weak, listed and broken entity tags pass where they should not.
    service/http/test_headers.py::test_entity_tags_are_compared_as_their_header_says
41. Pages repeat or leave out what changes while they are read.
    faults/test_projections.py::test_each_game_that_was_there_at_the_start_is_paged_exactly_once_whatever_changes
    faults/test_projections.py::test_a_cursor_that_was_changed_in_any_place_is_refused
42. What is served is not what the contract says. (Every answer of these tests is held to it by `harness/contract.py`.)
    contract/test_schemathesis.py::test_the_service_does_what_its_document_says
    service/test_openapi.py::test_the_committed_document_is_that_of_the_app
    faults/test_index.py::test_an_answer_that_the_contract_does_not_know_is_found
43. A token ends in a log because it stood in a URL, or a page of any origin may connect.
    faults/test_live_readers.py::test_a_token_in_the_url_is_refused_and_is_in_no_log
    service/live/test_session.py::test_only_pages_of_the_origins_that_are_set_may_connect

Bounded work and honest records

44. A record whose last events were cut off, or whose moves nobody decided again, passes as verified.
    service/test_verify.py::test_a_complete_record_that_was_cut_exits_with_4_wherever_it_was_cut
    service/test_verify.py::test_a_record_of_earlier_rules_exits_with_3_since_its_moves_were_not_decided_again
    service/test_verify.py::test_the_hash_of_the_last_known_version_shows_that_a_record_was_cut_before_it
45. Processes whose clocks differ record times that go back and forth, and open what a spectator delay withholds.
    faults/test_clocks.py::test_recorded_at_never_goes_back_in_a_game_that_is_played_through_processes_a_minute_apart
    faults/test_clocks.py::test_a_delay_of_a_minute_holds_on_every_channel_of_both_processes_whoever_records_and_whoever_serves
    faults/test_clocks.py::test_a_short_delay_ends_on_every_channel_of_both_processes_whoever_has_recorded
    faults/test_clocks.py::test_a_time_of_day_that_is_set_while_a_process_runs_changes_nothing
    service/log/test_events.py::test_an_event_is_recorded_neither_before_the_one_that_it_follows_nor_far_ahead_of_the_database
46. A command ignores an If-Match or an Idempotency-Key, and changes a game that its sender has not seen.
    contract/test_preconditions.py::test_a_command_heeds_if_match_or_refuses_it_and_a_stale_tag_changes_nothing
    contract/test_preconditions.py::test_a_command_heeds_an_idempotency_key_or_refuses_it
    contract/test_preconditions.py::test_a_tag_of_a_history_that_is_gone_matches_nothing_though_the_version_is_there_again
    contract/test_preconditions.py::test_every_command_of_the_contract_is_tried_here
47. A component set that is small costs seconds or gigabytes to parse, or to derive tables from.
    domain/kernel/test_component_text.py::test_a_key_of_too_many_parts_is_refused_wherever_it_stands
    domain/kernel/test_component_text.py::test_what_is_deep_is_never_hidden_behind_what_comes_before_it
    domain/kernel/test_component_text.py::test_the_slowest_texts_take_well_under_a_second
    conformance/test_bounds.py::test_every_title_refuses_a_text_that_is_slow_to_parse_or_does_not_show_what_it_means
    conformance/test_bounds.py::test_every_list_of_a_component_set_is_bounded
    conformance/test_bounds.py::test_every_list_and_every_number_of_a_position_is_bounded
48. Names of pieces hold characters that cannot be seen or that turn the line they stand in.
    domain/kernel/test_component_text.py::test_a_string_or_key_that_does_not_show_what_it_means_is_refused_with_its_place
    domain/kernel/test_visible.py::test_text_with_an_invisible_character_or_piled_up_marks_is_refused_with_what_it_holds
49. A player who knows the seed raises the version of a game, by undo or by leaving, until the next draw suits him.
    conformance/test_fairness.py::test_sitting_down_and_leaving_before_the_start_leads_to_one_opening
    conformance/test_fairness.py::test_moves_that_are_made_and_taken_back_lead_to_the_same_draws
    conformance/test_fairness.py::test_whoever_cycles_moves_before_a_draw_gets_one_and_the_same
50. The last to sit down knows the seed and chooses the opening by what he adds, or aborts starts until he likes one.
    conformance/test_fairness.py::test_the_last_to_sit_cannot_choose_when_somebody_has_committed
    conformance/test_fairness.py::test_who_aborts_a_start_loses_the_seat_and_every_entropy_is_new
    conformance/test_fairness.py::test_nobody_reveals_for_another_or_commits_to_what_another_will_reveal
    domain/kernel/record/test_verify_start.py::test_a_start_that_did_not_follow_from_commitments_and_deadlines_is_found
    domain/kernel/record/test_verify_start.py::test_a_seat_freed_before_its_deadline_is_found
51. A database that hangs keeps requests waiting for longer than their clients wait, and readiness with them.
    faults/test_hanging_database.py::test_every_operation_is_answered_in_time_while_the_database_is_silent_and_all_goes_on_afterwards
    faults/test_hanging_database.py::test_a_locked_table_is_waited_for_no_longer_than_for_a_silent_database
    faults/test_hanging_database.py::test_a_command_whose_commit_is_not_answered_is_never_said_to_be_refused
    faults/test_hanging_database.py::test_a_database_that_hangs_for_a_moment_costs_nobody_an_answer
52. A release of PostgreSQL that lacks something is accepted, and fails later without a word.
    service/database/test_connect.py::test_a_server_that_is_too_old_is_told
    service/database/test_connect.py::test_the_readme_and_the_code_name_the_same_least_version
53. A record, or a component set that came with one, costs its service seconds or gigabytes, for each reader again.
    service/routes/test_records.py::test_a_component_set_that_is_not_known_is_refused_by_its_hash
    service/play/test_component_sets.py::test_a_set_over_the_limits_costs_its_readers_nothing_but_the_first_look
    service/play/test_component_sets.py::test_rules_of_stored_sets_are_kept_for_the_last_used_ones_and_those_offered_always
    service/play/test_verifier.py::test_what_costs_too_much_is_refused_and_the_next_record_is_checked
    service/play/test_verifier.py::test_beyond_a_short_queue_records_are_refused_at_once
    service/play/test_verifier.py::test_a_worker_ends_when_its_service_is_killed
    service/routes/test_records_under_load.py::test_a_process_stops_in_time_in_the_middle_of_a_verification_and_leaves_no_worker_behind
    service/routes/test_records_under_load.py::test_others_are_answered_while_large_records_are_verified
54. A time or number of an imported record is stored or served as something else, or outside the published schema.
    service/routes/test_hostile_records.py::test_a_hostile_record_is_refused_by_the_line_and_nothing_is_stored
55. Who knows the seed sits down last and tries entropies, or aborts a start that he does not like and sits down again.
    faults/test_entropy.py::test_the_last_reveal_starts_the_game_and_everyone_sees_on_the_way_what_it_waits_for
    faults/test_entropy.py::test_of_a_reveal_and_a_free_at_the_deadline_one_happens_and_the_other_hears_why_not
    faults/test_entropy.py::test_a_seat_is_freed_once_however_many_free_it_at_once
    faults/test_entropy.py::test_two_last_reveals_at_once_start_the_game_once
    faults/test_entropy.py::test_who_was_freed_cannot_come_back_and_the_others_commit_again_before_the_game_starts
56. A client believes in another interval of heartbeats than the service keeps, and drops a healthy connection.
    clients/test_live.py::test_the_interval_of_heartbeats_is_the_one_that_the_service_says
    clients/test_live.py::test_a_service_says_the_interval_that_it_is_set_to
57. Clients make the service hold bytes for them: bodies, answers, pongs, fragments, requests in a row (W3, W4, W5).
    faults/test_hoarders.py::test_uploads_whose_last_byte_never_comes_are_bounded_and_moves_go_in_meanwhile
    faults/test_hoarders.py::test_uploads_that_one_client_withholds_keep_no_upload_of_others_out
    faults/test_hoarders.py::test_peers_that_ping_and_never_read_are_answered_to_their_latest_ping_only
    service/transport/test_body_budget.py::test_uploads_that_fill_their_part_leave_room_for_smaller_bodies
    service/transport/test_connections.py::test_a_client_that_never_reads_its_answer_is_cut
    service/transport/test_connections.py::test_when_unread_answers_exceed_their_bound_those_with_most_are_cut
    service/transport/test_connections.py::test_pipelined_requests_that_wait_are_kept_as_bytes
    service/transport/test_connections.py::test_a_client_that_only_sends_requests_stops_being_read
    service/transport/test_websocket_protocol.py::test_a_message_in_ever_so_many_fragments_is_held_as_what_it_is
    service/transport/test_websocket_protocol.py::test_pings_of_a_peer_that_does_not_read_are_answered_once_it_does_with_the_latest
58. Connections use up all file descriptors: everybody is shut out, health checks too, and nothing is logged (W6).
    faults/test_hoarders.py::test_when_descriptors_run_out_it_is_logged_and_health_is_still_told
    service/transport/test_connections.py::test_one_connection_too_many_is_refused_but_for_health_checks_and_that_is_logged_once
    service/transport/test_connections.py::test_silent_connections_do_not_keep_a_health_check_out
59. A client that closes its sending side after a request gets no answer (F8).
    faults/test_hoarders.py::test_a_client_that_closes_its_sending_side_is_answered_by_every_kind_of_operation
    service/transport/test_half_closed.py::test_whole_requests_are_answered_after_the_client_has_closed_its_sending_side
60. A stream that breaks looks whole over HTTP/1.0 (F11).
    faults/test_hoarders.py::test_streams_over_http_1_0_have_a_length
    service/http/test_handler.py::test_a_stream_that_breaks_over_http_1_0_is_a_refusal_and_a_whole_one_has_its_length
61. A page cannot read a refusal that is written outside the application (F14).
    service/transport/test_refusals_to_pages.py::test_a_refusal_can_be_read_by_pages_of_allowed_origins
62. A record bends how its game was started: no time to reveal, a clock put forward to free a seat; or the example that
    checks draws takes the commitment of somebody who left for that of the next one there.
    domain/kernel/record/test_verify_start.py::test_a_time_to_reveal_that_no_table_may_choose_is_found
    domain/kernel/record/test_verify_start.py::test_time_never_goes_back_in_a_game_that_can_have_a_deadline
    clients/test_check_draws.py::test_the_example_finds_the_entropies_that_the_draws_derive_from
    faults/test_fair_starts.py::test_a_stranger_who_sits_down_and_leaves_changes_nothing_about_the_opening
    faults/test_fair_starts.py::test_who_knows_the_seed_and_sits_last_chooses_before_he_can_know_what_he_chooses
    faults/test_fair_starts.py::test_who_aborts_a_start_that_he_does_not_like_is_barred_and_finds_nothing_that_he_has_seen
63. An unreadable game breaks a list, is played on while nobody can see its events, or is known to some processes only.
    faults/test_unreadable_games.py::test_an_unreadable_delayed_game_is_left_out_of_every_list_and_paging_goes_on
    faults/test_unreadable_games.py::test_a_game_with_a_move_that_cannot_be_shown_is_refused_on_every_path_and_cannot_be_played_on
    faults/test_unreadable_games.py::test_every_process_and_every_path_names_the_first_unreadable_version
    faults/test_unreadable_games.py::test_lists_are_the_same_before_and_after_a_rebuild_and_from_any_process
    faults/test_unreadable_games.py::test_a_game_that_a_new_release_can_read_is_listed_and_no_longer_noted
    faults/test_unreadable_games.py::test_unreadable_games_are_counted_in_the_metrics
    faults/test_unreadable_games.py::test_an_unreadable_game_is_logged_once_however_often_it_is_read
64. What was accepted is served in another form than it was sent.
    contract/test_served_as_sent.py::test_a_position_is_served_member_for_member_as_it_was_sent
    contract/test_served_as_sent.py::test_an_entropy_is_served_character_for_character
    contract/test_served_as_sent.py::test_a_name_is_served_everywhere_as_the_account_was_told
65. One address opens sockets, accounts, tables and requests without end.
    service/limits/test_limited_requests.py::test_a_request_over_the_limit_is_429_with_the_fields_and_other_addresses_are_served
    service/limits/test_limited_requests.py::test_accounts_and_bad_tokens_of_an_address_are_limited
    service/limits/test_limited_requests.py::test_a_socket_too_many_is_refused_at_the_upgrade_and_one_that_closes_makes_room
    service/limits/test_limited_requests.py::test_a_frame_over_the_limit_is_not_done_and_one_who_goes_on_is_closed_with_4005
    service/play/test_quotas.py::test_two_processes_that_race_open_exactly_the_quota_and_a_start_makes_room
    service/limits/test_address.py::test_headers_of_a_peer_that_is_no_trusted_proxy_mean_nothing
66. The timeline says who was ejected as if it ejected, says things twice, leaves things out, or runs on in one line.
    domain/chimera/timeline/test_describe.py::test_an_ejection_says_who_ejects_whose_worker_from_where_to_where
    domain/chimera/timeline/test_describe.py::test_a_gift_is_said_once_with_who_gets_it
    domain/chimera/timeline/test_describe.py::test_a_shop_that_yields_nothing_says_so
    domain/chimera/timeline/test_describe.py::test_the_laboratory_says_what_it_detaches
    domain/chimera/timeline/test_describe.py::test_components_that_are_removed_for_hunger_are_said_to_be
    domain/chimera/timeline/test_describe.py::test_every_kind_of_fact_is_written_or_has_a_reason_not_to_be
    domain/spacelab/test_describe.py::test_each_fact_in_both_languages
    conformance/test_words.py::test_a_line_is_made_of_a_few_sentences_that_end_and_none_of_which_follows_itself
67. The texts of effects are in no language: bare adjectives, two ways of counting, half-width marks.
    domain/chimera/test_words.py::test_every_text_is_made_of_whole_sentences_with_one_way_of_counting
    domain/spacelab/test_words.py::test_each_score_in_both_languages
68. Points of past versions, counted by the rules of today, contradict the result.
    faults/test_rule_fix.py::test_points_of_past_versions_never_contradict_the_result_after_a_scoring_fix
69. Following the feed of an account goes through all tables that it ever sat at, or through records naming it (W7).
    service/live/feeds/test_account_log.py::test_tables_are_read_as_far_as_their_events_are_taken
    service/live/feeds/test_account_log.py::test_from_every_place_the_events_with_a_seat_come_once_in_the_order_of_the_log
    service/live/feeds/test_account_queries.py::test_what_a_follow_costs_does_not_grow_with_tables_that_are_over_or_left
70. A page of the list of games takes several statements for each game that is delayed.
    service/projections/test_lobby.py::test_a_page_takes_as_many_statements_however_many_of_its_games_are_delayed
71. A game that goes on without end, by undo or by sitting and leaving, fills the log.
    service/limits/test_events_per_game.py::test_who_sits_and_leaves_without_end_is_refused_and_can_still_leave
    service/limits/test_events_per_game.py::test_moves_go_in_to_the_end_of_the_game_where_undo_is_refused
    service/limits/test_default_limits.py::test_one_who_floods_is_held_while_others_are_served
72. One small head, of blanks or an open quote, is tried again from each of its characters: nobody else is served.
    service/transport/test_request_head.py::test_an_origin_that_never_ends_takes_no_time_to_be_refused
    service/limits/test_address.py::test_a_header_that_is_hard_to_divide_takes_no_time_and_hides_no_hop
73. A costly request is spelled so that it counts as a cheap one.
    service/limits/test_weights.py::test_a_state_of_the_past_counts_as_that_however_its_parameter_is_written
    service/limits/test_weights.py::test_a_stream_counts_by_what_is_answered_and_not_by_the_words_of_accept
    service/limits/test_limited_requests.py::test_catching_up_counts_alike_by_the_address_of_a_socket_and_by_a_frame
74. Withheld bodies of ever smaller sizes fill the budget to its last byte, and nobody's move is admitted.
    service/transport/test_body_budget.py::test_a_small_body_is_admitted_however_full_the_budget_is
75. A stranger opens sandboxes and unlisted games until the lists of others go through all of them for one page.
    service/projections/test_streams.py::test_a_list_goes_past_nothing_that_strangers_hide_or_that_does_not_fit
    service/projections/test_streams.py::test_every_list_has_what_fits_and_the_caller_may_see_once
76. A backup is restored under processes at work, which serve a mixture, stay away, or forget what is theirs.
    faults/test_restarts.py::test_two_restores_in_a_row_cost_watchers_nothing_but_a_new_beginning
    faults/test_restarts.py::test_the_client_goes_on_by_itself
    faults/test_restarts.py::test_requests_are_refused_while_a_process_restarts_and_its_health_is_not
    faults/test_restarts.py::test_a_database_that_goes_away_while_a_process_restarts_is_waited_for
    faults/test_restarts.py::test_a_process_that_restarts_stops_at_once_when_it_is_told_to
    faults/test_restarts.py::test_limits_and_counters_go_on
    service/live/games/test_catching_up.py::test_nobody_is_sent_a_part_of_one_epoch_and_the_rest_of_another
"""
