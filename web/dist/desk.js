/*! AiSHA, Apache-2.0; with lit, marked, DOMPurify, eventsource-parser: NOTICES.txt */
import{a as e,b as t,c as s,d as a,e as i,f as n,g as r,h as o,i as l,j as d,k as h,l as c,m as u,n as p,o as m,p as g,q as f,r as y,s as v,t as b,u as w,w as k}from"./parts/chunk-6SZ267AW.js";import{a as $}from"./parts/chunk-DHP5BHIK.js";var x=class extends a{constructor(){super(...arguments),this.earlier=[],this.placeholder="",this.heard="",this.busy=!1,this.listening=!1,this.voice=!1,this.planning=!1,this.text="",this.recalled=-1}fill(e){this.text=e,this.area.value=e,this.fit()}updated(){this.listening&&this.area.value!==this.heard&&(this.area.value=this.heard,this.fit())}render(){let{words:e}=this,a=this.text.length-8e3;return t`<div class="box ${this.listening?"listening":""}">
<textarea
rows="1"
dir="auto"
enterkeyhint="send"
aria-label=${e.say("message_box")}
aria-describedby="hint"
placeholder=${this.listening?e.say("placeholder_listening"):this.placeholder}
?readonly=${this.listening}
@input=${this.typed}
@keydown=${this.pressed}
></textarea>
<span id="hint" class="hidden-text">${e.say("keys_hint")}</span>
${this.plan()} ${this.voice?this.microphone():s}
${this.busy?t`<button
class="icon-button send"
aria-label=${e.say("stop")}
title=${e.say("stop")}
@click=${this.stop}
>
${c("stop",16)}
</button>`:t`<button
class="icon-button send"
aria-label=${e.say("send")}
title=${e.say("send")}
?disabled=${!this.text.trim()||a>0||this.listening}
@click=${this.send}
>
${c("send")}
</button>`}
</div>
${a>0?t`<p class="problem" role="alert">${e.say("too_long",{count:e.number(a)})}</p>`:s}`}plan(){let e=this.words.say("plan_first");return t`<button
class="icon-button plan"
aria-label=${e}
title="${e}: ${this.words.say("plan_about")}"
aria-pressed=${this.planning}
@click=${()=>this.tell("plan")}
>
${c("plan")}
</button>`}microphone(){let e=this.words.say(this.listening?"talking":"talk");return t`<button
class="icon-button mic"
aria-label=${e}
title=${e}
aria-pressed=${this.listening}
?disabled=${this.busy}
@pointerdown=${e=>0===e.button&&this.tell("talk")}
@pointerup=${()=>this.tell("release")}
@pointercancel=${()=>this.tell("release")}
@lostpointercapture=${()=>this.listening&&this.tell("release")}
@keydown=${e=>_(e)&&!e.repeat&&this.tell("talk")}
@keyup=${e=>_(e)&&this.tell("release")}
@contextmenu=${e=>e.preventDefault()}
>
${c("mic")}
</button>`}typed(){this.text=this.area.value,this.recalled=-1,this.fit()}pressed(e){e.isComposing||("Enter"!==e.key||e.shiftKey||e.altKey?("ArrowUp"===e.key&&!this.text||this.recalled>=0&&/^Arrow(Up|Down)$/.test(e.key))&&this.recall(e):(e.preventDefault(),this.send()))}recall(e){let t=this.recalled+("ArrowUp"===e.key?1:-1);t>=this.earlier.length||(e.preventDefault(),this.fill(t<0?"":this.earlier[t]),this.recalled=t,this.area.setSelectionRange(this.text.length,this.text.length))}send(){let e=this.text.trim();!e||this.busy||e.length>8e3||(this.fill(""),this.recalled=-1,this.tell("send",e))}stop(){this.tell("stop"),this.area.focus()}fit(){this.area.style.height="auto",this.area.style.height=`${Math.min(this.area.scrollHeight,180)}px`}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}};function _(e){return" "===e.key||"Enter"===e.key}x.shadowRootOptions={...a.shadowRootOptions,delegatesFocus:!0},x.styles=[m,e`:host{display:block;padding:var(--aisha-2) var(--aisha-4) var(--aisha-3)}.box{display:flex;align-items:flex-end;gap:var(--aisha-1);max-inline-size:760px;margin-inline:auto;padding:5px;background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius-l)}.box:focus-within{border-color:var(--aisha-accent);box-shadow:0 0 0 1px var(--aisha-accent)}.box.listening{border-color:var(--aisha-danger)}textarea{flex:1;min-inline-size:0;min-block-size:36px;max-block-size:180px;padding:7px var(--aisha-2);line-height:22px;font-size:var(--aisha-text-m);resize:none;border:0;outline:0;background:none;scrollbar-width:thin;overflow-wrap:anywhere}textarea::placeholder{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}textarea:focus-visible{outline:none}.send{background:var(--aisha-accent-fill);color:var(--aisha-on-accent);border-radius:11px}.send:hover:not(:disabled){background:var(--aisha-accent-fill);color:var(--aisha-on-accent);filter:brightness(1.1)}.send:disabled{background:var(--aisha-hover);color:var(--aisha-muted);opacity:1}.plan[aria-pressed=true]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}.mic[aria-pressed=true]{background:var(--aisha-danger-fill);color:#fff}.problem{max-inline-size:760px;margin:var(--aisha-1) auto 0;padding-inline:var(--aisha-2);font-size:var(--aisha-text-xs);color:var(--aisha-danger)}`],$([i({attribute:!1})],x.prototype,"words",2),$([i({attribute:!1})],x.prototype,"earlier",2),$([i()],x.prototype,"placeholder",2),$([i()],x.prototype,"heard",2),$([i({type:Boolean})],x.prototype,"busy",2),$([i({type:Boolean})],x.prototype,"listening",2),$([i({type:Boolean})],x.prototype,"voice",2),$([i({type:Boolean})],x.prototype,"planning",2),$([n()],x.prototype,"text",2),$([r("textarea")],x.prototype,"area",2),x=$([h("aisha-composer")],x);var T=class extends a{constructor(){super(...arguments),this.mood=null,this.name="",this.state="idle",this.view="chat",this.minimisable=!1,this.fresh=!1,this.aloud=!1}render(){let{words:e,mood:a}=this;return t`
<span class="mark" aria-hidden="true">${this.name.slice(0,1)}</span>
<div class="who">
<h2>${this.name}</h2>
<p>
<span class="light ${this.state}" aria-hidden="true"></span>
<span>${e.say(`state_${this.state}`)}</span>
${a?this.moodMark(a):s}
</p>
</div>
${this.sound()} ${this.button("new_conversation","plus",()=>this.tell("clear"),void 0,this.fresh)}
${this.button("history","history",()=>this.show("history"),"history"===this.view)}
${this.button("settings","settings",()=>this.show("settings"),"settings"===this.view)}
${this.minimisable?this.button("minimise","minimise",()=>this.tell("minimise")):s}
`}moodMark(e){let s=this.words.say("mood",{mood:this.words.named("mood_",e.sentiment,e.sentiment)});return t`<span role="img" aria-label=${s} title=${s}>${e.emoji}</span>`}button(e,a,i,n,r=!1){let o=this.words.say(e);return t`<button
class="icon-button"
aria-label=${o}
title=${o}
aria-expanded=${n??s}
?disabled=${r}
@click=${i}
>
${c(a)}
</button>`}sound(){let e=this.words.say("read_answers");return t`<button
class="icon-button"
aria-label=${e}
title=${this.aloud?this.words.say("mute"):e}
aria-pressed=${this.aloud}
@click=${()=>this.tell("sound")}
>
${c(this.aloud?"speak":"mute")}
</button>`}show(e){this.dispatchEvent(new CustomEvent("view",{detail:this.view===e?"chat":e}))}tell(e){this.dispatchEvent(new CustomEvent(e))}};T.styles=[m,e`:host{display:flex;align-items:center;gap:var(--aisha-1);min-block-size:56px;padding:var(--aisha-2) var(--aisha-3) var(--aisha-2) var(--aisha-4);padding-inline:var(--aisha-4) var(--aisha-2);border-block-end:1px solid var(--aisha-line)}.mark{position:relative;display:grid;place-items:center;inline-size:32px;block-size:32px;flex:none;margin-inline-end:var(--aisha-2);border-radius:10px;background:var(--aisha-accent-fill);color:var(--aisha-on-accent);font-weight:700}.who{flex:1;min-inline-size:0;line-height:1.3}h2{margin:0;font-size:var(--aisha-text-m);font-weight:650;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}p{display:flex;align-items:center;gap:6px;margin:0;font-size:var(--aisha-text-xs);color:var(--aisha-muted)}.light{inline-size:8px;block-size:8px;border-radius:50%;background:var(--aisha-good)}.light.processing,.light.listening,.light.speaking{background:var(--aisha-accent);animation:pulse 1.2s ease-in-out infinite}.light.error{background:var(--aisha-danger)}.light.offline{background:var(--aisha-warn)}@keyframes pulse{50%{opacity:.35}}`],$([i({attribute:!1})],T.prototype,"words",2),$([i({attribute:!1})],T.prototype,"mood",2),$([i()],T.prototype,"name",2),$([i()],T.prototype,"state",2),$([i()],T.prototype,"view",2),$([i({type:Boolean})],T.prototype,"minimisable",2),$([i({type:Boolean})],T.prototype,"fresh",2),$([i({type:Boolean})],T.prototype,"aloud",2),T=$([h("aisha-header")],T);var S={"not-allowed":"microphone","service-not-allowed":"microphone","audio-capture":"microphone","no-speech":"no_speech",network:"unreachable"};function z(){let e=globalThis;return e.SpeechRecognition??e.webkitSpeechRecognition}var M=class{constructor(e,t){this.recogniser=new(z()),Object.assign(this.recogniser,{lang:e,continuous:!0,interimResults:!0}),this.heard=new Promise(e=>{let s="",a=null;this.recogniser.addEventListener("result",e=>{let{results:a}=e;s=Array.from(a,e=>e[0].transcript).join(" ").replace(/\s+/g," ").trim(),t(s)}),this.recogniser.addEventListener("error",e=>{let t=e.error;a={problem:S[t]??"no_speech"}}),this.recogniser.addEventListener("end",()=>e(s?{text:s}:a??{problem:"no_speech"}))}),this.recogniser.start()}finish(){this.recogniser.stop()}},A="aisha.";function E(e){try{return localStorage.getItem(A+e)}catch{return null}}function C(e,t){try{null===t?localStorage.removeItem(A+e):localStorage.setItem(A+e,t)}catch{}}var D={accept:"suggestion_done",dismiss:"suggestion_dismissed",snooze:"suggestion_snoozed"},L=class extends a{constructor(){super(...arguments),this.items=[],this.busy=null,this.failures=new Map}connectedCallback(){super.connectedCallback(),this.load()}render(){let{words:e,items:a}=this;return a.length?t`<h3>${e.say("open_suggestions")}</h3>
<ul>
${a.map(a=>t`<li>
${a.priority>=9?t`<span class="urgent">${e.say("urgent")}</span>`:s}
<button class="record" @click=${()=>this.actions.openRecord(a.entity)}>
${u(a.entity.type)}<span dir="auto">${a.entity.name}</span>
</button>
<p dir="auto">${a.text}</p>
${this.failures.has(a.id)?t`<p class="failed" role="alert">${this.failures.get(a.id)}</p>`:s}
<div class="buttons">
${a.tool?this.button(a,"accept","suggestion_accept"):s}
${this.button(a,"snooze","suggestion_snooze")}
${this.button(a,"dismiss","suggestion_dismiss")}
</div>
</li>`)}
</ul>`:s}button(e,s,a){return t`<button
class="button ${"accept"===s?"primary":""}"
aria-label="${this.words.say(a)}: ${e.entity.name}"
?disabled=${null!==this.busy}
@click=${()=>this.decide(e,s)}
>
${this.words.say(a)}
</button>`}async load(){try{let e={limit:3};this.items=(await d(this.api.rest.GET("/api/ai/suggestions",{params:{query:e}}))).suggestions}catch{this.items=[]}}async decide(e,t){this.busy=e.id,this.failures=new Map([...this.failures].filter(([t])=>t!==e.id));let s={path:{id:e.id}},{rest:a}=this.api;try{"dismiss"===t?await a.POST("/api/ai/suggestions/{id}/dismiss",{params:s}):"snooze"===t?await a.POST("/api/ai/suggestions/{id}/snooze",{params:s,body:{}}):await this.accept(e,await d(a.POST("/api/ai/suggestions/{id}/accept",{params:s,body:{}}))),this.items=this.items.filter(t=>t.id!==e.id),this.actions.announce(this.words.say(D[t])),this.items.length||await this.load()}catch(t){this.failures=new Map(this.failures).set(e.id,v(y(t),this.words))}finally{this.busy=null}}async accept(e,t){if(!t.success){let s=t.toolCall?.error?.message;throw new Error("string"==typeof s?s:e.text)}let{changes:s}=g(t.toolCall?.result);this.dispatchEvent(new CustomEvent("changes",{detail:s}))}};L.styles=[m,e`:host{display:block}h3{margin:var(--aisha-5) 0 var(--aisha-2);font-size:var(--aisha-text-s);font-weight:600}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}li{padding:var(--aisha-3);border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);font-size:var(--aisha-text-s);line-height:1.45}.record{display:inline-flex;align-items:center;gap:6px;max-inline-size:100%;font-weight:600;text-align:start;color:var(--aisha-accent);overflow-wrap:anywhere}.record svg{flex:none}.urgent{float:inline-end;padding:1px 8px;font-size:var(--aisha-text-xs);color:var(--aisha-warn);background:var(--aisha-warn-soft);border-radius:10px}p{margin:var(--aisha-1) 0 var(--aisha-2);overflow-wrap:anywhere}.failed{color:var(--aisha-danger)}.buttons{display:flex;flex-wrap:wrap;gap:var(--aisha-2)}.buttons .button{min-block-size:30px;padding:3px 12px}`],$([i({attribute:!1})],L.prototype,"api",2),$([i({attribute:!1})],L.prototype,"words",2),$([i({attribute:!1})],L.prototype,"actions",2),$([n()],L.prototype,"items",2),$([n()],L.prototype,"busy",2),$([n()],L.prototype,"failures",2),L=$([h("aisha-suggestions")],L);var N={assistant:"Assistant",open:"Open the assistant",open_unread:"Open the assistant: a new answer",minimise:"Minimise",new_conversation:"New conversation",history:"Conversations",settings:"Settings",close:"Close",state_idle:"Ready",state_listening:"Listening…",state_processing:"Working…",state_speaking:"Speaking…",state_error:"Something needs you",state_offline:"Offline",offline:"You are offline. What you send waits until you are back.",back_online:"You are back online.",loading:"Loading the conversation…",welcome_title:"What can I do for you?",welcome_text:"Ask about your customers and deals, or tell me what to change. I ask before anything that can’t be taken back.",quick:"Start with one of these",quick_status:"Status",quick_status_text:"What is on my plate today?",quick_next:"Next step",quick_next_text:"What should I do next?",quick_analyze:"Analyze",quick_analyze_text:"How does my pipeline look?",quick_record:"This record",quick_record_text:"Summarize the record on this page",open_suggestions:"Waiting for you",message_box:"Message",placeholder:"Ask, or say what to change",placeholder_pending:"Yes, no, or what to do instead",placeholder_listening:"Listening: speak now",send:"Send",stop:"Stop",too_long:"{count} characters too many. Please shorten the message.",keys_hint:"Enter sends, Shift+Enter starts a new line",you_said:"You said",assistant_said:"{name} said",transcript:"Conversation",thinking:"Thinking…",to_newest:"To the newest message",copy:"Copy answer",copied:"Copied",read_aloud:"Read aloud",stop_reading:"Stop reading",good_answer:"Good answer",bad_answer:"Bad answer",why_bad:"What was wrong?",why_wrong:"It is not true",why_misread:"It misunderstood me",why_incomplete:"Something is missing",why_slow:"It took too long",why_other:"Something else",thanks:"Thank you.",answer_actions:"Actions for this answer",stopped:"Stopped. What was done before stays done.",unfinished:"This answer was cut off.",degraded:"A stand-in model answered, because the usual one is unavailable.",undo_one:"Undo",undo_other:"Undo {count} changes",undone:"Undone",undone_names:"Taken back: {names}",timing:"{total} in total",timing_model:"{llm} model",steps_one:"{count} step",steps_other:"{count} steps",step_running:"running",step_done:"done",step_failed:"failed",step_waiting:"waits for you",no_arguments:"Without details",found_one:"{count} found",found_other:"{count} found",insights:"Worth knowing",sources:"Based on",scans:"Scans that fit",run_scan_text:"Run the {name} scan",scan_data_quality:"data quality",scan_deals_at_risk:"deals at risk",scan_goal_progress:"goal progress",scan_next_steps:"next steps",scan_overdue_activities:"overdue activities",scan_stale_leads:"stale leads",follow_ups:"You could ask",open_record:"Open {type} {name}",mood:"Mood: {mood}",mood_positive:"positive",mood_neutral:"neutral",mood_negative:"negative",confirm_title:"Please confirm",confirm_title_danger:"Please check before you confirm",confirm_choose:"Which one do you mean?",confirm_yes:"Yes, do it",confirm_yes_delete:"Yes, delete",confirm_yes_send:"Yes, send",confirm_no:"No, leave it",confirm_none:"None of these",confirm_details:"Exactly this will be done",confirm_time:"{time} left to decide",confirm_expired:"The time to decide has run out. Nothing was done.",confirm_approved:"You agreed.",confirm_rejected:"You declined. Nothing was done.",confirm_settled:"This question is closed.",confirm_again:"Ask again",confirm_needed:"A question waits for your answer: {question}",nothing:"nothing",yes:"yes",no:"no",suggestion_accept:"Do it",suggestion_dismiss:"Dismiss",suggestion_snooze:"Tomorrow",suggestion_done:"Done.",suggestion_dismissed:"Dismissed.",suggestion_snoozed:"I’ll bring it up again tomorrow.",urgent:"Urgent",search_conversations:"Search conversations",no_conversations:"No conversations yet.",no_matches:"No conversation has these words.",more:"Show more",rename:"Rename",rename_label:"New name of the conversation",save:"Save",cancel:"Cancel",delete:"Delete",delete_question:"Delete this conversation for good?",export:"Save as a file",untitled:"Conversation",theme:"Appearance",theme_midnight:"Midnight",theme_light:"Light",theme_system:"Follow the system",mode:"How I answer",model:"Model",model_default:"The usual one",voice:"Voice",voice_default:"The browser’s choice",read_answers:"Read answers aloud",talk:"Hold to talk",talking:"Release to send",mute:"Mute",error_title:"That did not work",error_offline:"You are offline. This is sent as soon as you are back.",error_unreachable:"The assistant can’t be reached. Check your connection and try again.",error_cut_off:"The connection broke off. Try again: nothing is done twice.",error_unexpected:"Something unexpected happened on this page. Try again; if it stays, reload the page.",error_unexpected_content:"Something between this page and the assistant answered in its place. Try again; if it stays, tell your admin.",error_no_token:"This page could not sign you in. Reload it, or sign in to your CRM again.",error_400:"The assistant could not read this request. Reload the page and try again.",error_401:"Your sign-in has run out. Sign in to your CRM again; your message is kept.",error_402:"The assistant’s budget for this month is used up. Ask your admin.",error_403:"You are not allowed to do this. Ask your admin if you need it.",error_404:"This no longer exists, or you may not see it.",error_409:"It was changed or decided elsewhere meanwhile. Look at how it is now, then ask again.",error_410:"This question has expired or was answered already. Ask again if you still want it.",error_413:"This message is too long. Please shorten it.",error_422:"Something in this message can’t be used.",error_429:"That was a lot at once. Please wait a moment.",error_500:"Something went wrong on our side. Try again: nothing is done twice.",error_501:"This is not set up here. Ask your admin.",error_503:"The assistant is unavailable at the moment. Try again shortly.",error_504:"This took too long. Try again: nothing is done twice.",error_failed:"The assistant could not answer. Try again.",error_microphone:"The microphone can’t be used. Allow it in the browser, or type.",error_no_speech:"I heard nothing. Hold the button while you speak.",error_no_recognition:"This browser can’t listen. Please type.",retry:"Try again",retry_in:"Try again in {seconds} s",reference:"Reference for your admin: {id}",needs_data:"I need data that this page has not shared: {names}.",type_lead:"lead",type_contact:"contact",type_account:"account",type_opportunity:"deal",type_activity:"activity",type_note:"note",type_document:"document",tool_search:"Searching {what}",tool_get:"Looking up {what}",tool_list:"Looking through {what}",tool_create:"Creating {what}",tool_update:"Changing {what}",tool_delete:"Deleting {what}",mode_default:"Balanced",mode_about_default:"Complete answers of the usual length.",mode_brief:"Brief",mode_about_brief:"Two sentences at most.",mode_coach:"Coach",mode_about_coach:"Explains its reasons and asks a question that helps you on.",mode_voice:"For listening",mode_about_voice:"Short, without lists or tables.",does_advance_opportunity_stage:"Moving the deal",does_analyze_sentiment:"Reading the mood",does_complete_activity:"Completing the activity",does_convert_lead:"Converting the lead",does_draft_email:"Drafting the email",does_find_similar:"Looking for similar records",does_forecast_pipeline:"Working out the forecast",does_get_my_day:"Looking at your day",does_get_pipeline_summary:"Adding up the pipeline",does_navigate_to_page:"Opening the page",does_read_document:"Reading the document",does_req_more_info:"Asking this page for data",does_run_scan:"Running a scan",does_schedule_meeting:"Scheduling the meeting",does_score_lead:"Scoring the lead",does_send_email:"Sending the email",does_suggest_next_actions:"Thinking about next steps",does_summarize_record:"Summing up the record",does_undo_last:"Undoing the last change",does_bulk_create_activities:"Creating activities",does_manage_prompt:"Looking at your instructions",does_memory:"Looking at what I remember",does_stickynotes:"Looking at your reminders",types_leads:"leads",types_contacts:"contacts",types_accounts:"accounts",types_opportunities:"deals",types_activities:"activities",types_notes:"notes",types_documents:"documents",types_goals:"goals",type_goal:"goal",error_nothing_to_undo:"There is nothing left to take back here.",plan_first:"Plan first",plan_about:"I show all steps and ask once",plan_steps:"Steps of the plan",plan_planned:"planned",plan_running:"at work",plan_executed:"done",plan_failed:"failed",plan_rejected:"not allowed",plan_skipped:"left out",plan_undone:"taken back"},P={de:()=>import("./parts/de-WGBXPTC5.js"),es:()=>import("./parts/es-LHOD74HB.js"),fr:()=>import("./parts/fr-G65GABDH.js")},O=new Set(["ar","arc","ckb","dv","fa","he","ks","ku","ps","sd","ug","ur","yi"]),U=class{constructor(e,t="en",s=N){this.locale=e,this.language=t,this.catalogue=s,this.plurals=new Intl.PluralRules(t)}get direction(){return O.has(this.locale.split("-")[0].toLowerCase())?"rtl":"ltr"}say(e,t={}){return I(this.catalogue[e]??N[e],t)}english(e){return N[e]}count(e,t,s={}){let a=`${e}_${this.plurals.select(t)}`;return I(this.catalogue[a]??this.catalogue[`${e}_other`]??"",{...s,count:this.number(t)})}named(e,t,s){return this.catalogue[`${e}${t}`]??s}number(e,t){return e.toLocaleString(this.locale,t)}time(e){return e.toLocaleTimeString(this.locale,{hour:"numeric",minute:"2-digit"})}moment(e,t=new Date){if(e.toDateString()===t.toDateString())return this.time(e);let s=e.getFullYear()===t.getFullYear()?void 0:"numeric";return`${e.toLocaleDateString(this.locale,{day:"numeric",month:"short",year:s})}, ${this.time(e)}`}seconds(e){let t=e<9950?1:0;return`${this.number(e/1e3,{minimumFractionDigits:t,maximumFractionDigits:t})} s`}};function I(e,t){return e.replace(/\{(\w+)\}/g,(e,s)=>String(t[s]??e))}function R(e){let t=e.replace(/([a-z\d])([A-Z])/g,"$1 $2").replace(/[_-]+/g," ").trim().toLowerCase();return t.charAt(0).toUpperCase()+t.slice(1)}var q=/^(lead|contact|account|opportunity|activity|note|document)_[A-Za-z0-9]+$/,j=/^\d{4}-\d\d-\d\dT\d\d:\d\d/,W=/^\d{4}-\d\d-\d\d$/;function F(e,s,a){let i=Object.entries(e).filter(([t])=>!(t.endsWith("_type")&&s.has(String(e[t.replace(/_type$/,"_id")]))));return i.length?t`<dl class="arguments">
${i.map(([e,i])=>t`<div>
<dt>${((e,t,s,a)=>{let i="string"==typeof t?s.get(t):void 0;return i&&/(^|_)(entity|record)?_?id$/.test(e)?(e=>e.charAt(0).toUpperCase()+e.slice(1))(a.named("type_",i.type,i.type)):R(e.replace(/_ids?$/,""))})(e,i,s,a)}</dt>
<dd dir="auto">${Y(i,s,a)}</dd>
</div>`)}
</dl>`:t`<p class="none">${a.say("no_arguments")}</p>`}function Y(e,s,a){return null==e||""===e?t`<em>${a.say("nothing")}</em>`:"boolean"==typeof e?a.say(e?"yes":"no"):"number"==typeof e?a.number(e,{maximumFractionDigits:6}):"string"==typeof e?((e,t,s)=>{let a=t.get(e);if(a)return a.name;if(q.test(e))return`${s.named("type_",e.split("_")[0],"")} …${e.slice(-6)}`;let i=j.test(e)?new Date(e):W.test(e)?new Date(`${e}T12:00`):null;if(!i||Number.isNaN(i.getTime()))return e;let n=i.toLocaleDateString(s.locale,{weekday:"short",day:"numeric",month:"long",year:"numeric"});return W.test(e)?n:`${n}, ${s.time(i)}`})(e,s,a):Array.isArray(e)?e.length?t`<ul>
${e.map(e=>t`<li>${Y(e,s,a)}</li>`)}
</ul>`:t`<em>${a.say("nothing")}</em>`:F(e,s,a)}var G=e`.prose{overflow-wrap:anywhere;line-height:1.55}.prose>:first-child{margin-block-start:0}.prose>:last-child{margin-block-end:0}.prose p,.prose ul,.prose ol,.prose pre,.prose blockquote,.prose .table{margin-block:var(--aisha-2)}.prose ul,.prose ol{padding-inline-start:22px}.prose li{margin-block:2px}.prose li::marker{color:var(--aisha-muted)}.prose h3,.prose h4,.prose h5{margin-block:var(--aisha-3) var(--aisha-1);font-size:var(--aisha-text-m);line-height:1.35}.prose a{color:var(--aisha-accent);text-underline-offset:2px}.prose .link-host{color:var(--aisha-muted);font-size:var(--aisha-text-xs)}.prose code{font-family:var(--aisha-mono);font-size:.9em;background:var(--aisha-sunken);padding:1px 4px;border-radius:4px}.prose pre{overflow-x:auto;padding:var(--aisha-3);background:var(--aisha-sunken);border-radius:var(--aisha-radius-s)}.prose pre code{padding:0;background:none}.prose blockquote{margin-inline:0;padding-inline-start:var(--aisha-3);border-inline-start:3px solid var(--aisha-line-strong);color:var(--aisha-muted)}.prose hr{border:0;border-block-start:1px solid var(--aisha-line)}.prose .table{overflow-x:auto;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius-s)}.prose table{border-collapse:collapse;min-inline-size:100%;font-size:var(--aisha-text-s)}.prose th,.prose td{padding:6px 10px;text-align:start;vertical-align:top;white-space:nowrap}.prose [align=right]{text-align:end;font-variant-numeric:tabular-nums}.prose th{background:var(--aisha-raised);font-weight:600}.prose tr+tr td,.prose tbody tr:first-child td{border-block-start:1px solid var(--aisha-line)}`,H={approved:"confirm_approved",rejected:"confirm_rejected",settled:"confirm_settled",expired:"confirm_expired"},B=class extends a{constructor(){super(...arguments),this.names=new Map,this.busy=!1,this.left=0}connectedCallback(){super.connectedCallback(),this.timer=setInterval(()=>this.tick(),1e3)}disconnectedCallback(){super.disconnectedCallback(),clearInterval(this.timer)}willUpdate(e){e.has("message")&&this.tick()}firstUpdated(){let{question:e,alternatives:t}=this.message.confirmation,s=this.message.plan||t;this.question?.replaceChildren(b(s?e.replace(/^\d+\. .*$\n?/gm,""):e))}render(){let{words:e,message:a}=this,i=a.confirmation,n="select"===i.confirmationType,r=n?"confirm_choose":i.isDestructive?"confirm_title_danger":"confirm_title";return t`<div
role="group"
class="card ${i.isDestructive&&!a.decision?"danger":""}"
aria-labelledby="title"
>
<h3 id="title">${c("alert",16)} ${e.say(r)}</h3>
<div class="body">
<div class="prose" dir="auto"></div>
${a.plan?this.plan(a.plan):n?s:this.exact()}
${a.decision?this.outcome(a.decision):n?this.choices():this.yesNo()}
</div>
</div>`}plan(e){return e.length?t`<aisha-plan .steps=${e} .words=${this.words}></aisha-plan>`:s}exact(){let{words:e,names:s}=this,a=this.message.confirmation;return t`<div class="exact">
<p id="exact">${e.say("confirm_details")}</p>
<div class="scroll" tabindex="0" role="group" aria-labelledby="exact">
${F(a.arguments,s,e)}
</div>
</div>`}yesNo(){let{words:e,message:s,actions:a}=this,{isDestructive:i,tool:n}=s.confirmation,r=/^delete_/.test(n)?"confirm_yes_delete":/^send_/.test(n)?"confirm_yes_send":"confirm_yes";return t`<div class="buttons">
<button
class="button ${i?"danger":"primary"}"
?disabled=${this.busy}
@click=${()=>a.decide(s.key,"approve")}
>
${e.say(r)}
</button>
<button class="button" ?disabled=${this.busy} @click=${()=>a.decide(s.key,"reject")}>
${e.say("confirm_no")}
</button>
</div>
${this.time()}`}choices(){let{words:e,message:s,actions:a}=this,i=s.confirmation.alternatives??[];return t`<div class="buttons choices">
${i.map(({label:e,value:i})=>t`<button
class="button choice"
dir="auto"
?disabled=${this.busy}
@click=${()=>a.decide(s.key,"approve",i)}
>
${e}
</button>`)}
<button class="button" ?disabled=${this.busy} @click=${()=>a.decide(s.key,"reject")}>
${e.say("confirm_none")}
</button>
</div>
${this.time()}`}time(){let e=`${Math.floor(this.left/60)}:${String(this.left%60).padStart(2,"0")}`;return t`<p class="time ${this.left<60?"hurry":""}">
${c("clock",14)} <span dir="auto">${this.words.say("confirm_time",{time:e})}</span>
</p>`}outcome(e){let{words:a,message:i,actions:n}=this;return t`<p class="outcome">
${a.say(H[e])}
${"expired"===e?t`<button class="button" ?disabled=${this.busy} @click=${()=>n.askAgain(i.key)}>
${c("retry",15)} ${a.say("confirm_again")}
</button>`:s}
</p>`}tick(){let{confirmation:e,decision:t,key:s}=this.message;!e||t||(this.left=Math.max(0,Math.ceil((Date.parse(e.expiresAt)-Date.now())/1e3)),0===this.left&&queueMicrotask(()=>this.actions.expire(s)))}};B.styles=[m,G,e`:host{display:block}.card{margin-block:var(--aisha-2);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius);background:var(--aisha-raised);overflow:hidden}.card.danger{border-color:var(--aisha-danger)}h3{display:flex;align-items:center;gap:var(--aisha-2);margin:0;padding:var(--aisha-2) var(--aisha-3);font-size:var(--aisha-text-s);font-weight:600;color:var(--aisha-accent);background:var(--aisha-accent-soft)}.danger h3{color:var(--aisha-danger);background:var(--aisha-danger-soft)}.body{padding:var(--aisha-3)}.exact{margin:var(--aisha-3) 0 0;padding:var(--aisha-2) var(--aisha-3);background:var(--aisha-bg);border-radius:var(--aisha-radius-s);font-size:var(--aisha-text-s)}.exact>p{margin:0 0 var(--aisha-1);font-size:var(--aisha-text-xs);font-weight:600;color:var(--aisha-muted)}.scroll{max-block-size:260px;overflow:auto}dl{margin:0}dl>div{display:grid;grid-template-columns:minmax(72px,30%) 1fr;gap:var(--aisha-2);padding-block:2px}dt{color:var(--aisha-muted);overflow-wrap:anywhere}dd{margin:0;min-inline-size:0;overflow-wrap:anywhere;white-space:pre-wrap}dd ul{margin:0;padding-inline-start:var(--aisha-4);white-space:normal}.none{margin:0}.buttons{display:flex;flex-wrap:wrap;gap:var(--aisha-2);margin-block-start:var(--aisha-3)}.buttons.choices{flex-direction:column}.choice{justify-content:flex-start;text-align:start;font-weight:400;overflow-wrap:anywhere}.time{display:flex;align-items:center;gap:6px;margin-block:var(--aisha-2) 0;font-size:var(--aisha-text-xs);color:var(--aisha-muted);font-variant-numeric:tabular-nums}.time.hurry{color:var(--aisha-warn)}.outcome{display:flex;align-items:center;flex-wrap:wrap;gap:var(--aisha-2);margin-block:var(--aisha-3) 0;font-size:var(--aisha-text-s);color:var(--aisha-muted)}`],$([i({attribute:!1})],B.prototype,"message",2),$([i({attribute:!1})],B.prototype,"names",2),$([i({attribute:!1})],B.prototype,"words",2),$([i({attribute:!1})],B.prototype,"actions",2),$([i({type:Boolean})],B.prototype,"busy",2),$([n()],B.prototype,"left",2),$([r(".prose")],B.prototype,"question",2),B=$([h("aisha-confirmation")],B);var K=["why_wrong","why_misread","why_incomplete","why_slow","why_other"],V=class extends a{constructor(){super(...arguments),this.isAsking=!1}render(){let{feedback:e}=this.message;return t`${this.thumb("up","good_answer","up")} ${this.thumb("down","bad_answer","thumbDown")}
${this.isAsking&&"down"===e?t`<div class="why" role="group" aria-label=${this.words.say("why_bad")}>
<span>${this.words.say("why_bad")}</span>
${K.map(e=>t`<button class="button" @click=${()=>this.rate("down",e)}>
${this.words.say(e)}
</button>`)}
</div>`:s}`}thumb(e,s,a){let i=this.words.say(s);return t`<button
class="icon-button small"
aria-label=${i}
title=${i}
aria-pressed=${this.message.feedback===e}
@click=${()=>this.rate(e)}
>
${c(a,15)}
</button>`}rate(e,t){this.isAsking="down"===e&&!t,this.actions.rate(this.message.key,e,t?.replace("why_","")),this.isAsking||this.actions.announce(this.words.say("thanks"))}};V.styles=[m,e`:host{display:contents}.why{order:9;inline-size:100%;display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) 6px;border:0;margin:0;font-size:var(--aisha-text-s)}.why .button{min-block-size:28px;padding:2px 10px;font-weight:400;border-radius:14px}`],$([i({attribute:!1})],V.prototype,"message",2),$([i({attribute:!1})],V.prototype,"words",2),$([i({attribute:!1})],V.prototype,"actions",2),$([n()],V.prototype,"isAsking",2),V=$([h("aisha-feedback")],V);var J=["search","get","list","create","update","delete"];function Z(e,t){let s=t.named("does_",e,"");if(s)return s;let[a,...i]=e.split("_"),n=J.find(e=>e===a);if(!n||!i.length)return R(e);let r=i.join("_");return t.say(`tool_${n}`,{what:t.named("types_",r,t.named("type_",r,R(r).toLowerCase()))})}var X=class extends a{constructor(){super(...arguments),this.steps=[],this.names=new Map}render(){if(!this.steps.length)return s;let e=this.steps.reduce((e,t)=>e+(t.durationMs??0),0);return t`<details>
<summary>
<span dir="auto"
>${this.words.count("steps",this.steps.length)}${e?t` · ${this.words.seconds(e)}`:s}</span
>
<span class="chevron">${c("chevron",14)}</span>
</summary>
<ol>
${this.steps.map(e=>this.step(e))}
</ol>
</details>`}step(e){let a=/^\d+$/.test(e.outcome)?this.words.count("found",Number(e.outcome)):e.outcome;return t`<li>
<details>
<summary>
<span class="state ${e.state}">${this.mark(e.state)}</span>
<span dir="auto">${Z(e.tool,this.words)}${a?t` · ${a}`:s}</span>
<span class="time" dir="auto"
>${null===e.durationMs?s:this.words.seconds(e.durationMs)}</span
>
</summary>
${F(e.arguments,this.names,this.words)}
</details>
</li>`}mark(e){let s=t`<span class="hidden-text">${this.words.say(`step_${e}`)}</span>`;return"running"===e?t`<span class="spinner"></span>${s}`:t`${c("done"===e?"check":"failed"===e?"close":"clock",14)}${s}`}};X.styles=[m,e`:host{display:block;font-size:var(--aisha-text-s);color:var(--aisha-muted)}summary{display:inline-flex;align-items:center;gap:var(--aisha-1);min-block-size:24px;cursor:pointer;list-style:none;border-radius:var(--aisha-radius-s)}summary::-webkit-details-marker{display:none}summary:hover{color:var(--aisha-ink)}summary>.chevron svg{display:block;transition:transform var(--aisha-speed)}details[open]>summary>.chevron svg{transform:rotate(180deg)}ol{list-style:none;margin:var(--aisha-1) 0 var(--aisha-2);padding:0 0 0 var(--aisha-3);padding-inline:var(--aisha-3) 0;border-inline-start:2px solid var(--aisha-line)}li>details>summary{display:flex}.time{margin-inline-start:auto;font-variant-numeric:tabular-nums;font-size:var(--aisha-text-xs)}.state{display:inline-grid;place-items:center;inline-size:18px;flex:none}.done{color:var(--aisha-good)}.failed{color:var(--aisha-danger)}.waiting{color:var(--aisha-warn)}.spinner{inline-size:12px;block-size:12px;border:2px solid var(--aisha-line-strong);border-block-start-color:var(--aisha-accent);border-radius:50%;animation:turn .9s linear infinite}@keyframes turn{to{transform:rotate(1turn)}}.arguments,.none{margin:0 0 var(--aisha-2) 22px;margin-inline:22px 0;font-size:var(--aisha-text-xs);overflow-wrap:anywhere}.arguments>div{display:flex;gap:var(--aisha-2)}dt:after{content:":"}dd{margin:0;color:var(--aisha-ink);min-inline-size:0}dd ul{margin:0;padding-inline-start:var(--aisha-4)}dd .arguments{margin:0}`],$([i({attribute:!1})],X.prototype,"steps",2),$([i({attribute:!1})],X.prototype,"names",2),$([i({attribute:!1})],X.prototype,"words",2),X=$([h("aisha-steps")],X);var Q=class extends a{constructor(){super(...arguments),this.records=[],this.name="",this.last=!1,this.busy=!1,this.speaking=!1,this.isCopied=!1,this.shown=""}render(){let{message:e}=this;return"system"===e.role?this.note():"user"===e.role?t`<div class="user">
<span class="hidden-text">${this.words.say("you_said")}: </span
><span class="said" dir="auto">${e.text}</span>
</div>`:t`<article aria-label=${this.words.say("assistant_said",{name:this.name})}>
<aisha-steps .steps=${e.steps} .names=${this.names} .words=${this.words}></aisha-steps>
<div class="prose" dir="auto" ?hidden=${!e.text||null!==e.confirmation}></div>
${this.status()} ${this.marks()} ${this.question()} ${"streaming"===e.state?s:this.findings()}
</article>`}updated(e){let{text:t,state:s}=this.message,a=`${"streaming"===s}${t}`;e.has("message")&&this.prose&&a!==this.shown&&(this.prose.replaceChildren(b(t,"streaming"===s)),this.shown=a)}get names(){return((...e)=>new Map(e.flat().map(e=>[e.id,e])))(this.records,this.message.sources,this.message.entities)}note(){let{error:e,changes:a}=this.message,i=a.map(e=>e.name).join(", ");return t`${i?t`<p class="system">${c("undo",14)} ${this.words.say("undone_names",{names:i})}</p>`:s}
${e?t`<aisha-notice .words=${this.words} .text=${v(e,this.words)}></aisha-notice>`:s}`}status(){let{message:e,words:a}=this;if("streaming"!==e.state)return s;let i=e.steps.findLast(e=>"running"===e.state);if(e.text&&!i)return s;let n=i?`${Z(i.tool,a)}…`:a.say("thinking");return t`<div class="status">
<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>${n}
</div>`}marks(){let{message:e,words:a}=this;return"stopped"===e.state?t`<p class="mark">${c("stop",14)} ${a.say("stopped")}</p>`:"unfinished"===e.state?t`<p class="mark">${c("alert",14)} ${a.say("unfinished")}</p>`:e.needs&&"done"===e.state?t`<p class="mark">
${c("alert",14)} ${a.say("needs_data",{names:(i=e.needs,Object.values(i).flatMap(e=>Array.isArray(e)?e.map(e=>"string"==typeof e?e:String(e?.id??"")):e&&"object"==typeof e?Object.keys(e):[]).filter(Boolean).map(R).join(", ").toLowerCase())})}
</p>`:e.error?t`<aisha-notice
.words=${a}
.text=${v(e.error,a)}
.retryAfter=${e.error.retryAfter}
.reference=${e.error.requestId??""}
?retryable=${(e=>![402,403,404,410,413,422].includes(e))(e.error.status)&&!e.decision}
?disabled=${this.busy}
@retry=${()=>this.actions.retry(e.key)}
></aisha-notice>`:s;var i}question(){let{message:e}=this;return e.confirmation&&"streaming"!==e.state?t`<aisha-confirmation
.message=${e}
.names=${this.names}
.words=${this.words}
.actions=${this.actions}
?busy=${this.busy}
></aisha-confirmation>`:s}findings(){let{message:e,words:a}=this;return"failed"===e.state?s:t`
${e.warnings.map(e=>t`<p class="mark">${c("alert",14)} ${e}</p>`)}
${e.usage?.degraded?t`<p class="mark">${c("alert",14)} ${a.say("degraded")}</p>`:s}
${e.insights.length?t`<div class="section">
<ul class="insights" aria-label=${a.say("insights")}>
${e.insights.map(e=>t`<li dir="auto">${c("bulb",16)}<span>${e}</span></li>`)}
</ul>
</div>`:s}
${this.sources()} ${this.footer()} ${this.last?t`${this.scans()}${this.followUps()}`:s}
`}sources(){let{sources:e}=this.message;return e.length?t`<div class="section">
<p class="label">${this.words.say("sources")}</p>
<ul class="chips">
${e.map(e=>t`<li>
<button
class="chip"
title=${e.description}
aria-label=${this.words.say("open_record",{type:this.words.named("type_",e.type,e.type),name:e.name})}
@click=${()=>this.actions.openRecord(e)}
>
${u(e.type)}<span dir="auto">${e.name}</span>
</button>
</li>`)}
</ul>
</div>`:s}scans(){let{recommendedScans:e,steps:a}=this.message,i=new Set(a.map(e=>e.arguments.scan_type)),n=e.filter(e=>!i.has(e));return n.length?t`<div class="section">
<p class="label">${this.words.say("scans")}</p>
<ul class="chips">
${n.map(e=>{let t=this.words.named("scan_",e,e.replaceAll("_"," ")),s=this.words.say("run_scan_text",{name:t});return this.chip(s,c("search",14))})}
</ul>
</div>`:s}followUps(){let{followUps:e,confirmation:a,decision:i}=this.message;return!e.length||a&&!i?s:t`<div class="section">
<p class="label">${this.words.say("follow_ups")}</p>
<ul class="chips">
${e.map(e=>this.chip(e.text,t`<span class="emoji" aria-hidden="true">${e.icon}</span>`))}
</ul>
</div>`}chip(e,s){return t`<li>
<button class="chip follow-up" ?disabled=${this.busy} @click=${()=>this.actions.send(e)}>
${s}<span dir="auto">${e}</span>
</button>
</li>`}footer(){let{message:e,words:a}=this;return e.text?t`<div class="footer" role="group" aria-label=${a.say("answer_actions")}>
${e.changes.length?t`<button
class="button undo"
?disabled=${this.busy||null!==e.undo}
@click=${()=>this.actions.undo(e.key)}
>
${c("undo",14)}
${"done"===e.undo?a.say("undone"):a.count("undo",e.changes.length)}
</button>`:s}
${this.tool(this.isCopied?"copied":"copy",this.isCopied?"check":"copy",()=>this.copy())}
${this.tool(this.speaking?"stop_reading":"read_aloud",this.speaking?"mute":"speak",()=>this.actions.speak(e.key))}
<aisha-feedback .message=${e} .words=${a} .actions=${this.actions}></aisha-feedback>
<span class="when" title=${this.timing()}>${a.moment(e.at)}</span>
</div>`:s}tool(e,s,a){let i=this.words.say(e);return t`<button class="icon-button small" aria-label=${i} title=${i} @click=${a}>
${c(s,15)}
</button>`}timing(){let{usage:e}=this.message;return e?`${this.words.say("timing",{total:this.words.seconds(e.timing.totalMs)})}, ${this.words.say("timing_model",{llm:this.words.seconds(e.timing.llmMs)})} · ${e.model}`:""}async copy(){try{await navigator.clipboard.writeText(this.message.text),this.isCopied=!0,this.actions.announce(this.words.say("copied")),setTimeout(()=>this.isCopied=!1,2e3)}catch{}}};Q.styles=[m,G,e`:host{display:block;padding-block:var(--aisha-2)}.user{inline-size:fit-content;max-inline-size:85%;margin-inline-start:auto;padding:var(--aisha-2) var(--aisha-3);background:var(--aisha-accent-soft);border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1) var(--aisha-radius-l);overflow-wrap:anywhere}.said{display:block;white-space:pre-wrap}:host([dir="rtl"]) .user{border-radius:var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-radius-l) var(--aisha-1)}.system{display:flex;align-items:center;justify-content:center;gap:var(--aisha-2);overflow-wrap:anywhere;font-size:var(--aisha-text-s);color:var(--aisha-muted)}.status{display:flex;align-items:center;gap:var(--aisha-2);min-block-size:24px;color:var(--aisha-muted);font-size:var(--aisha-text-s)}.dots{display:inline-flex;gap:4px}.dots i{inline-size:6px;block-size:6px;border-radius:50%;background:var(--aisha-accent);animation:breathe 1.2s ease-in-out infinite}.dots i:nth-child(2){animation-delay:.15s}.dots i:nth-child(3){animation-delay:.3s}@keyframes breathe{50%{opacity:.25}}.mark{display:flex;align-items:center;gap:var(--aisha-2);margin-block-start:var(--aisha-2);font-size:var(--aisha-text-s);color:var(--aisha-warn)}.section{margin-block-start:var(--aisha-3)}.label{margin:0 0 var(--aisha-1);font-size:var(--aisha-text-xs);font-weight:600;color:var(--aisha-muted)}.insights{margin:0;padding:var(--aisha-2) var(--aisha-3);list-style:none;background:var(--aisha-raised);border-radius:var(--aisha-radius);font-size:var(--aisha-text-s)}.insights li{display:flex;gap:var(--aisha-2)}.insights span{min-inline-size:0;overflow-wrap:anywhere}.insights svg{flex:none;margin-block-start:1px;color:var(--aisha-warn)}.chips{display:flex;flex-wrap:wrap;gap:var(--aisha-2);margin:0;padding:0;list-style:none}.chips li{max-inline-size:100%}.chip{display:inline-flex;align-items:center;gap:6px;max-inline-size:100%;min-block-size:28px;padding:3px 10px;font-size:var(--aisha-text-s);line-height:1.35;text-align:start;border:1px solid var(--aisha-line);border-radius:14px;background:var(--aisha-bg);transition:background var(--aisha-speed)}.chip:hover:not(:disabled){background:var(--aisha-hover)}.chip span{overflow:hidden;text-overflow:ellipsis;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow-wrap:anywhere}.chip svg{flex:none;color:var(--aisha-accent)}.follow-up{border-color:var(--aisha-line-strong)}.emoji{font-size:14px}.footer{display:flex;align-items:center;flex-wrap:wrap;gap:var(--aisha-1);margin-block-start:var(--aisha-2);color:var(--aisha-muted);font-size:var(--aisha-text-xs)}.footer>.icon-button:first-child{margin-inline-start:-6px}.footer .when{margin-inline-start:auto;font-variant-numeric:tabular-nums}.footer .undo{min-block-size:28px;padding:2px 10px}`],$([i({attribute:!1})],Q.prototype,"message",2),$([i({attribute:!1})],Q.prototype,"words",2),$([i({attribute:!1})],Q.prototype,"actions",2),$([i({attribute:!1})],Q.prototype,"records",2),$([i()],Q.prototype,"name",2),$([i({type:Boolean})],Q.prototype,"last",2),$([i({type:Boolean})],Q.prototype,"busy",2),$([i({type:Boolean})],Q.prototype,"speaking",2),$([n()],Q.prototype,"isCopied",2),$([r(".prose")],Q.prototype,"prose",2),Q=$([h("aisha-message")],Q);var ee=class extends a{constructor(){super(...arguments),this.messages=[],this.records=[],this.name="",this.speaking=null,this.busy=!1,this.isAway=!1}firstUpdated(){this.sizes=new ResizeObserver(()=>!this.isAway&&this.toNewest()),this.sizes.observe(this.content),this.sizes.observe(this.frame)}disconnectedCallback(){super.disconnectedCallback(),this.sizes?.disconnect()}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.firstUpdated()}updated(e){let t=e.get("messages");t&&this.messages.length>t.length&&"user"===this.messages.at(-2)?.role&&(this.isAway=!1),this.isAway||this.toNewest()}render(){let e=this.messages.at(-1)?.key;return t`<div
class="scroll"
tabindex="0"
role="log"
aria-live="off"
aria-label=${this.words.say("transcript")}
@scroll=${this.scrolled}
>
<div class="messages">
${this.messages.map(s=>t`<aisha-message
.message=${s}
.words=${this.words}
.actions=${this.actions}
.records=${this.records}
.name=${this.name}
dir=${this.words.direction}
?last=${s.key===e}
?busy=${this.busy}
?speaking=${s.key===this.speaking}
></aisha-message>`)}
</div>
</div>
${this.isAway?t`<button
class="icon-button newest"
aria-label=${this.words.say("to_newest")}
title=${this.words.say("to_newest")}
@click=${this.backToNewest}
>
${c("down")}
</button>`:s}`}scrolled(){let{scrollHeight:e,scrollTop:t,clientHeight:s}=this.frame;this.isAway=e-t-s>80}backToNewest(){this.isAway=!1,this.toNewest()}toNewest(){this.frame&&(this.frame.scrollTop=this.frame.scrollHeight)}};ee.styles=[m,e`:host{position:relative;display:block;min-block-size:0}.scroll{block-size:100%;overflow-y:auto;overscroll-behavior:contain;scrollbar-width:thin;scrollbar-color:var(--aisha-line-strong) transparent;padding:var(--aisha-3) var(--aisha-4);outline-offset:-2px}.messages{max-inline-size:760px;margin-inline:auto}aisha-message:not([last]){content-visibility:auto;contain-intrinsic-size:auto 120px}.newest{position:absolute;inset-block-end:var(--aisha-3);inset-inline:0;margin-inline:auto;background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:50%;color:var(--aisha-ink);box-shadow:var(--aisha-shadow)}`],$([i({attribute:!1})],ee.prototype,"messages",2),$([i({attribute:!1})],ee.prototype,"records",2),$([i({attribute:!1})],ee.prototype,"words",2),$([i({attribute:!1})],ee.prototype,"actions",2),$([i()],ee.prototype,"name",2),$([i()],ee.prototype,"speaking",2),$([i({type:Boolean})],ee.prototype,"busy",2),$([n()],ee.prototype,"isAway",2),$([r(".scroll")],ee.prototype,"frame",2),$([r(".messages")],ee.prototype,"content",2),ee=$([h("aisha-transcript")],ee);var te=[{label:"quick_status",icon:"activity"},{label:"quick_next",icon:"bulb"},{label:"quick_analyze",icon:"opportunity"}];function se(e,t,s){let a=`${e.label}_text`;return s?t.english(a):t.say(a)}var ae=class extends a{constructor(){super(...arguments),this.onRecord=!1,this.english=!1,this.busy=!1}render(){let{words:e}=this;return t`<h3>${e.say("welcome_title")}</h3>
<p>${e.say("welcome_text")}</p>
<ul aria-label=${e.say("quick")}>
${this.onRecord?this.item({label:"quick_record",icon:"source"},null):s}
${te.map((e,t)=>this.item(e,t+1))}
</ul>`}item(e,a){let i=se(e,this.words,this.english);return t`<li>
<button ?disabled=${this.busy} @click=${()=>this.actions.send(i)} aria-keyshortcuts=${a??s}>
${c(e.icon,20)}
<span class="text"><strong>${this.words.say(e.label)}</strong><span>${i}</span></span>
${a?t`<kbd aria-hidden="true">${a}</kbd>`:s}
</button>
</li>`}};ae.styles=[m,e`:host{display:block}h3{margin:var(--aisha-3) 0 var(--aisha-1);font-size:var(--aisha-text-l);line-height:1.3}p{margin:0 0 var(--aisha-4);color:var(--aisha-muted);font-size:var(--aisha-text-s);line-height:1.5}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}li button{display:flex;align-items:center;gap:var(--aisha-3);inline-size:100%;padding:10px var(--aisha-3);text-align:start;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);background:var(--aisha-raised);transition:background var(--aisha-speed)}li button:hover:not(:disabled){background:var(--aisha-hover)}svg{flex:none;color:var(--aisha-accent)}.text{flex:1;min-inline-size:0;line-height:1.35}strong{display:block;font-size:var(--aisha-text-s);font-weight:600}.text span{font-size:var(--aisha-text-s);color:var(--aisha-muted)}kbd{min-inline-size:20px;padding:1px 5px;text-align:center;font:inherit;font-size:var(--aisha-text-xs);color:var(--aisha-muted);border:1px solid var(--aisha-line);border-radius:5px}@media(hover:none){kbd{display:none}}`],$([i({attribute:!1})],ae.prototype,"words",2),$([i({attribute:!1})],ae.prototype,"actions",2),$([i({type:Boolean,attribute:"on-record"})],ae.prototype,"onRecord",2),$([i({type:Boolean})],ae.prototype,"english",2),$([i({type:Boolean})],ae.prototype,"busy",2),ae=$([h("aisha-welcome")],ae);var ie=class extends a{constructor(){super(...arguments),this.api="",this.theme="midnight",this.layout="sidebar",this.locale="",this.name="",this.recordType="",this.recordId="",this.page="",this.minimised=!1,this.token=null,this.provideData=null,this.view="chat",this.isOnline=navigator.onLine,this.isUnread=!1,this.announced="",this.heard="",this.viewsError=null,this.listening=null,this.speakingKey=null,this.voiceProblem="",this.tenantName="AiSHA",this.isEnglishOnly=!1,this.preferences={theme:"midnight",model:"",isReadAloud:!1,voice:"",isPlanning:!1},this.words=new U("en"),this.wordsOf="",this.isDark=matchMedia("(prefers-color-scheme: dark)"),this.isRedrawn=!1,this.tokenGiven=new Promise(e=>this.giveToken=e),this.actions={send:e=>{this.say(e)},stop:()=>this.conversation.stop(),retry:e=>{this.conversation.retry(e)},decide:(e,t,s)=>{this.conversation.decide(e,t,s),this.composer?.focus()},undo:e=>{this.conversation.undo(e)},expire:e=>this.conversation.expire(e),askAgain:e=>this.askAgain(e),openRecord:e=>this.navigate({page:null,record:e}),speak:e=>{this.readAloud(e)},rate:(e,t,s)=>this.rate(e,t,s),announce:e=>this.announce(e)},this.talk=async()=>{if(this.listening)return;this.speech.stop(),this.voiceProblem=this.heard="";try{this.listening=new M(this.words.locale,e=>this.heard=e)}catch{return void(this.voiceProblem=this.words.say("error_microphone"))}let e=await this.listening.heard;this.listening=null,this.heard="",this.composer?.fill(""),"text"in e?await this.say(e.text):this.voiceProblem=this.words.say(`error_${e.problem}`)},this.sound=()=>{let e=!this.preferences.isReadAloud;this.prefer({...this.preferences,isReadAloud:e}),!e&&(this.speech.stop(),this.speakingKey=null)},this.begin=async()=>{this.conversation.clear(),await this.show("chat")},this.minimise=async()=>{this.minimised=!0,C("minimised","yes"),await this.updateComplete,this.renderRoot.querySelector(".launcher")?.focus()},this.restore=async()=>{this.minimised=!1,C("minimised",null),await this.updateComplete,this.composer?.focus()},this.pressed=e=>{let[t]=e.composedPath(),s=t?.matches("input, textarea, select, [contenteditable]");if("Escape"===e.key&&"chat"!==this.view&&this.show("chat"),s||e.ctrlKey||e.metaKey||e.altKey||"chat"!==this.view)return;let a=((e,t,s)=>{let a=/^[1-3]$/.test(e)?te[Number(e)-1]:void 0;return a?se(a,t,s):null})(e.key,this.words,this.isEnglishOnly);a&&this.say(a)},this.connectionChanged=()=>{if(this.isOnline=navigator.onLine,!this.isOnline)return;this.announce(this.words.say("back_online"));let e=this.conversation.messages.findLast(e=>"offline"===e.error?.code);e&&this.conversation.retry(e.key)},this.redraw=()=>{this.isRedrawn=!0,this.requestUpdate()}}ask(e){this.minimised=!1,this.say(e)}async draft(e){this.minimised=!1,this.view="chat",await this.updateComplete,this.composer?.fill(e),this.composer?.focus()}async openConversation(e){this.view="chat",await this.conversation.open(e)}connectedCallback(){super.connectedCallback(),addEventListener("online",this.connectionChanged),addEventListener("offline",this.connectionChanged),this.isDark.addEventListener("change",this.redraw),this.addEventListener("keydown",this.pressed)}disconnectedCallback(){super.disconnectedCallback(),removeEventListener("online",this.connectionChanged),removeEventListener("offline",this.connectionChanged),this.isDark.removeEventListener("change",this.redraw),this.removeEventListener("keydown",this.pressed),this.speech?.stop(),this.conversation?.stop()}willUpdate(e){if(!this.hasUpdated){let e=E("theme");this.preferences={theme:this.hasAttribute("theme")?this.theme:e??"midnight",model:E("model")??"",isReadAloud:"yes"===E("aloud"),voice:E("voice")??"",isPlanning:"yes"===E("plan")},this.theme=this.preferences.theme,"sidebar"===this.layout&&"yes"===E("minimised")&&(this.minimised=!0)}(e.has("api")||!this.client)&&this.connect(),this.token&&this.giveToken(),e.has("theme")&&(this.preferences={...this.preferences,theme:this.theme}),e.has("minimised")&&(this.isUnread&&=this.minimised);let t="light"===this.theme||"system"===this.theme&&!this.isDark.matches;this.dataset.theme=t?"light":"midnight"}async scheduleUpdate(){this.isRedrawn&&!document.hidden&&await new Promise(requestAnimationFrame),this.isRedrawn=!1;let e=this.locale||document.documentElement.lang||navigator.language,t=e!==this.wordsOf;t&&(this.wordsOf=e,this.words=await(async e=>{let t="en";try{t=Intl.getCanonicalLocales(e)[0]??"en"}catch{}let s=t.slice(0,2);try{let e=await(P[s]?.());if(e)return new U(t,s,e.default)}catch{}return new U(t)})(e)),super.scheduleUpdate(),t&&"en"!==this.words.language&&this.loadLanguage(this.client)}render(){let{words:e}=this;if(this.minimised&&"fill"!==this.layout){let a=e.say(this.isUnread?"open_unread":"open");return t`<button
class="launcher"
dir=${e.direction}
lang=${e.language}
aria-label=${a}
title=${a}
@click=${this.restore}
>
<span aria-hidden="true">${this.calledName.slice(0,1)}</span>
${this.isUnread?t`<span class="unread"></span>`:s}
</button>
${this.announcer()}`}let{conversation:a}=this;return t`<section
class="panel"
part="panel"
lang=${e.language}
dir=${e.direction}
aria-label="${this.calledName}: ${e.say("assistant")}"
>
<aisha-header
.words=${e}
.mood=${a.mood}
.name=${this.calledName}
.state=${this.panelState}
.view=${this.view}
?fresh=${0===a.messages.length}
?minimisable=${"fill"!==this.layout}
@view=${e=>this.show(e.detail)}
?aloud=${this.preferences.isReadAloud}
@sound=${this.sound}
@clear=${this.begin}
@minimise=${this.minimise}
></aisha-header>
<div>
${this.isOnline?s:t`<p class="banner" role="status">${c("offline",16)} ${e.say("offline")}</p>`}
${this.voiceProblem?t`<p class="banner" role="status">${c("mic",16)} ${this.voiceProblem}</p>`:s}
</div>
<div class="body">${this.body()}</div>
<div>
${"chat"===this.view?t`<aisha-composer
.words=${e}
.earlier=${a.spoken}
.heard=${this.heard}
placeholder=${e.say(a.pending?"placeholder_pending":"placeholder")}
?busy=${"idle"!==a.phase}
?planning=${this.preferences.isPlanning}
@plan=${()=>this.prefer({...this.preferences,isPlanning:!this.preferences.isPlanning})}
?listening=${null!==this.listening}
?voice=${void 0!==z()}
@send=${e=>this.say(e.detail)}
@stop=${()=>a.stop()}
@talk=${this.talk}
@release=${()=>this.listening?.finish()}
></aisha-composer>`:s}
</div>
${this.announcer()}
</section>`}announcer(){return t`<div class="hidden-text" role="status" aria-live="polite">${this.announced}</div>`}body(){let{words:e,conversation:s,client:a,viewsError:i}=this;return"chat"!==this.view&&i?t`<div class="empty">
<aisha-notice
.words=${e}
.text=${v(i,e)}
retryable
@retry=${()=>this.show(this.view)}
></aisha-notice>
</div>`:"history"===this.view?t`<aisha-history
.api=${a}
.words=${e}
.current=${s.id}
@open=${e=>this.openConversation(e.detail)}
@removed=${e=>e.detail===s.id&&s.clear()}
></aisha-history>`:"settings"===this.view?t`<aisha-settings
.api=${a}
.words=${e}
.preferences=${this.preferences}
@change=${e=>this.prefer(e.detail)}
></aisha-settings>`:s.isLoading?t`<p class="loading" role="status">${e.say("loading")}</p>`:s.loadError?t`<div class="empty">
<aisha-notice
.words=${e}
.text=${v(s.loadError,e)}
.retryAfter=${s.loadError.retryAfter}
.reference=${s.loadError.requestId??""}
retryable
@retry=${()=>s.open(s.id)}
></aisha-notice>
</div>`:s.messages.length?t`<aisha-transcript
.messages=${s.messages}
.records=${s.entities}
.words=${e}
.actions=${this.actions}
.name=${this.calledName}
.speaking=${this.speakingKey}
?busy=${"idle"!==s.phase}
></aisha-transcript>`:t`<div class="empty">
<aisha-welcome
.words=${e}
.actions=${this.actions}
?english=${this.isEnglishOnly}
?on-record=${!!this.recordId}
?busy=${"idle"!==s.phase}
></aisha-welcome>
<aisha-suggestions
.api=${a}
.words=${e}
.actions=${this.actions}
@changes=${e=>this.tellChanges(e.detail)}
></aisha-suggestions>
</div>`}get calledName(){return this.name||this.tenantName}get panelState(){return this.isOnline?this.listening?"listening":"idle"!==this.conversation.phase?"processing":this.speakingKey?"speaking":"failed"===this.conversation.messages.at(-1)?.state?"error":"idle":"offline"}connect(){this.conversation?.stop();let e=l({api:this.api,token:e=>this.tokenSource().then(t=>t(e)),door:"widget"});this.client=e,this.speech=new k(e);let t={api:e,request:()=>this.request(),isPlanning:()=>this.preferences.isPlanning,provide:e=>this.provide(e),changed:this.redraw,kept:e=>C(`conversation.${this.api}`,e),answered:e=>this.answered(e),recordsChanged:e=>this.tellChanges(e),navigated:e=>this.navigate(e),confirmationNeeded:e=>this.tell("confirmationneeded",e)};this.conversation=new f(t),this.name||this.loadName(e);let s=E(`conversation.${this.api}`);s&&this.conversation.open(s)}async loadName(e){let t=await d(e.rest.GET("/api/ai/profile")).catch(()=>null);t?.assistantName&&(this.tenantName=t.assistantName)}async loadLanguage(e){let t=await e.rest.GET("/api/ai/models").catch(()=>null);this.isEnglishOnly="offline"===t?.data?.providers[0]?.id}async tokenSource(){return this.token||await this.tokenGiven,this.token}request(){let[e,...t]=this.preferences.model.split("/"),s=this.page||this.recordId;return{locale:this.words.locale,timezone:Intl.DateTimeFormat().resolvedOptions().timeZone,...e?{provider:e,model:t.join("/")}:{},...s?{context:{page:this.page||null,recordType:this.recordType||null,recordId:this.recordId||null}}:{}}}async say(e){this.view="chat",this.voiceProblem="",this.speech.stop(),await this.conversation.send(e)}askAgain(e){let{messages:t}=this.conversation,s=t.findIndex(t=>t.key===e),a=t.slice(0,Math.max(s,0)).findLast(e=>"user"===e.role);a&&this.say(a.text)}async provide(e){return await(this.provideData?.(e))??null}answered(e){this.minimised&&(this.isUnread=!0);let t=e.error?v(e.error,this.words):e.changes.length&&"system"===e.role?this.words.say("undone_names",{names:e.changes.map(e=>e.name).join(", ")}):e.confirmation?this.words.say("confirm_needed",{question:w(e.confirmation.question)}):w(e.text);this.announce(t),this.preferences.isReadAloud&&!e.error&&!document.hidden&&this.readAloud(e.key)}async readAloud(e){let t=this.speakingKey===e;this.speech.stop(),this.speakingKey=null;let s=this.conversation.find(e);if(t||!s?.text)return;this.speakingKey=e;let a=await this.speech.say(s.text,this.words.locale,this.preferences.voice);this.speakingKey===e&&(this.speakingKey=null),this.record("read_aloud","voice",!0,a,{ttsMs:a})}rate(e,t,s){this.conversation.patch(e,{feedback:t}),("up"===t||s)&&this.record("answer_feedback","feedback","up"===t,0,void 0,s)}async record(e,t,s,a,i,n){let r={commandName:e,commandType:t,success:s,executionTimeMs:a,timing:i,errorMessage:n};await this.client.rest.POST("/api/ai/analytics",{body:r}).catch(()=>{})}navigate(e){this.tell("navigate",e)}tellChanges(e){for(let t of e)this.tell("recordchanged",t)}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}announce(e){this.announced=e===this.announced?`${e} `:e}prefer(e){this.preferences=e,this.theme=e.theme,C("theme",e.theme),C("model",e.model||null),C("aloud",e.isReadAloud?"yes":null),C("voice",e.voice||null),C("plan",e.isPlanning?"yes":null)}async show(e){if(this.view=e,"chat"!==e){let e=await import("./parts/views-24J2RZHV.js").then(()=>null,()=>new o(0,"unreachable",""));this.viewsError=e}await this.updateComplete,"chat"===e&&this.composer?.focus()}};function ne(e,t="USD",s=!1){let a=Number(e);if(!Number.isFinite(a))return"—";try{return new Intl.NumberFormat(void 0,{style:"currency",currency:String(t||"USD"),maximumFractionDigits:s?1:a%1?2:0,notation:s?"compact":"standard"}).format(a)}catch{return`${oe(a)} ${String(t)}`}}function re(e){let t=0===e||e>=.1?2:5;return new Intl.NumberFormat(void 0,{style:"currency",currency:"USD",maximumFractionDigits:t}).format(e)}function oe(e){return new Intl.NumberFormat(void 0,{maximumFractionDigits:1}).format(e)}function le(e){let t=String(e??""),s=/^\d{4}-\d{2}-\d{2}$/.test(t),a=new Date(s?`${t}T00:00`:t);return Number.isNaN(a.getTime())?null:a}function de(e){let t=le(e);if(!t)return"—";let s=t.getFullYear()===(new Date).getFullYear();return t.toLocaleDateString(void 0,{day:"numeric",month:"short",...s?{}:{year:"numeric"}})}function he(e){let t=le(e);return t?t.toLocaleTimeString(void 0,{hour:"numeric",minute:"2-digit"}):""}function ce(e){return`${de(e)}, ${he(e)}`}function ue(e){let t=e=>new Date(e.getFullYear(),e.getMonth(),e.getDate()).getTime();return Math.round((t(e)-t(new Date))/864e5)}function pe(e){let t=le(e);if(!t)return"—";let s=ue(t);return Math.abs(s)>13?de(e):new Intl.RelativeTimeFormat(void 0,{numeric:"auto"}).format(s,"day")}function me(e){let t=e.replace(/[_-]+/g," ").trim();return t.charAt(0).toUpperCase()+t.slice(1)}function ge(e){return e>=1e3?`${oe(e/1e3)} s`:`${Math.round(e)} ms`}function fe(e){if(!(e instanceof Error))return"Something went wrong. Please try again.";if(e.message)return e.message;let{status:t,code:s}=e;return"offline"===s?"You are offline. This goes on when the connection is back.":0===t?"The server does not answer. Please try again in a moment.":401===t?"You are signed out. Load the page again to sign in.":"The server could not do this. Please try again."}ie.shadowRootOptions={...a.shadowRootOptions,delegatesFocus:!0},ie.styles=[p,m,e`:host{display:block;font-family:var(--aisha-font);font-size:var(--aisha-text-m);line-height:1.5;color:var(--aisha-ink);text-align:start;-webkit-text-size-adjust:100%}.panel{display:grid;grid-template-rows:auto auto minmax(0,1fr) auto;background:var(--aisha-bg);block-size:100%;overflow:hidden}:host([layout="fill"]){block-size:100%;min-block-size:0}:host(:not([layout="fill"])) .panel{position:fixed;z-index:2147483000;inset-block:0;inset-inline-end:0;inline-size:min(400px,100vw);block-size:100dvh;border-inline-start:1px solid var(--aisha-line);box-shadow:var(--aisha-shadow)}@media(max-width:600px){:host(:not([layout="fill"])) .panel{inline-size:100vw;border:0}}.launcher{position:fixed;z-index:2147483000;inset-block-end:var(--aisha-5);inset-inline-end:var(--aisha-5);inline-size:56px;block-size:56px;display:grid;place-items:center;font-size:22px;font-weight:700;color:var(--aisha-on-accent);background:var(--aisha-accent-fill);border-radius:18px;box-shadow:var(--aisha-shadow)}.unread{position:absolute;inset-block-start:-3px;inset-inline-end:-3px;inline-size:16px;block-size:16px;border-radius:50%;background:var(--aisha-danger-fill);border:2px solid var(--aisha-bg)}.banner{margin:0;display:flex;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) var(--aisha-4);font-size:var(--aisha-text-s);color:var(--aisha-warn);background:var(--aisha-warn-soft)}.body{display:grid;min-block-size:0;min-inline-size:0}.empty{overflow-y:auto;padding:var(--aisha-3) var(--aisha-4);scrollbar-width:thin}.empty>*{max-inline-size:760px;margin-inline:auto}.loading{place-self:center;color:var(--aisha-muted);font-size:var(--aisha-text-s)}`],$([i()],ie.prototype,"api",2),$([i({reflect:!0})],ie.prototype,"theme",2),$([i({reflect:!0})],ie.prototype,"layout",2),$([i()],ie.prototype,"locale",2),$([i()],ie.prototype,"name",2),$([i({attribute:"record-type"})],ie.prototype,"recordType",2),$([i({attribute:"record-id"})],ie.prototype,"recordId",2),$([i()],ie.prototype,"page",2),$([i({type:Boolean,reflect:!0})],ie.prototype,"minimised",2),$([i({attribute:!1})],ie.prototype,"token",2),$([i({attribute:!1})],ie.prototype,"provideData",2),$([n()],ie.prototype,"view",2),$([n()],ie.prototype,"isOnline",2),$([n()],ie.prototype,"isUnread",2),$([n()],ie.prototype,"announced",2),$([n()],ie.prototype,"heard",2),$([n()],ie.prototype,"viewsError",2),$([n()],ie.prototype,"listening",2),$([n()],ie.prototype,"speakingKey",2),$([n()],ie.prototype,"voiceProblem",2),$([n()],ie.prototype,"tenantName",2),$([n()],ie.prototype,"isEnglishOnly",2),$([n()],ie.prototype,"preferences",2),$([r("aisha-composer")],ie.prototype,"composer",2),ie=$([h("aisha-assistant")],ie);var ye=class{constructor(e,t,s=!1){this.host=e,this.type=t,this.isWhole=s,this.items=[],this.total=null,this.next=null,this.isLoading=!0,this.error="",this.filters={},this.attempt=0,this.redraw=()=>this.host.requestUpdate(),this.apply=e=>{let t=e.detail.filter(e=>e.entity.type===this.type);if(t.length){if(Object.values(this.filters).some(Boolean))return void this.load(this.filters);for(let e of t)this.take(e);this.host.requestUpdate()}},e.addController(this)}hostConnected(){this.host.desk?.feed.addEventListener("changes",this.apply),this.host.desk?.feed.addEventListener("marks",this.redraw)}hostDisconnected(){this.host.desk?.feed.removeEventListener("changes",this.apply),this.host.desk?.feed.removeEventListener("marks",this.redraw)}async load(e={}){this.hostConnected(),this.filters=e;let t=this.attempt+=1;this.isLoading=!0,this.error="",this.host.requestUpdate();try{let e=[],s=null;for(let a=0;a<(this.isWhole?20:1);a+=1){let a=await this.page(s);if(t!==this.attempt)return;if(e=[...e,...a.items],[this.total,s]=[a.total,a.next_cursor],!s)break}[this.items,this.next]=[e,s]}catch(e){if(t!==this.attempt)return;this.error=fe(e)}this.isLoading=!1,this.host.requestUpdate()}async more(){let e=this.attempt;if(this.next&&!this.isLoading){this.isLoading=!0,this.host.requestUpdate();try{let t=await this.page(this.next);if(e!==this.attempt)return;let s=new Set(this.items.map(e=>e.id));this.items=[...this.items,...t.items.filter(e=>!s.has(e.id))],this.next=t.next_cursor}catch(e){this.host.desk.tell(fe(e),!0)}this.isLoading=!1,this.host.requestUpdate()}}async page(e){let t={...this.filters,limit:50,...e?{cursor:e}:{}};return await d(this.host.desk.api.rest.GET("/api/crm/{type}",{params:{path:{type:this.type},query:t}}))}take(e){let t=this.items.findIndex(t=>t.id===e.entity.id),s=e.record;s?t>=0?this.items=this.items.with(t,s):("created"===e.action||"undo_last"===e.tool)&&(this.items=[s,...this.items],this.total=null===this.total?null:this.total+1):(t>=0&&(this.total=null===this.total?null:this.total-1),this.items=this.items.filter(t=>t.id!==e.entity.id))}},ve=[{type:"lead",page:"leads",one:"Lead",many:"Leads",module:"leads"},{type:"contact",page:"contacts",one:"Contact",many:"Contacts",module:"contacts"},{type:"account",page:"accounts",one:"Account",many:"Accounts",module:"accounts"},{type:"opportunity",page:"opportunities",one:"Deal",many:"Deals",module:"opportunities"},{type:"activity",page:"activities",one:"Activity",many:"Activities",module:"activities"},{type:"note",page:"notes",one:"Note",many:"Notes",module:"notes"}],be=["prospecting","qualification","proposal","negotiation","closed_won","closed_lost"],we=be.slice(0,4),ke=["new","contacted","warm","qualified","unqualified","converted","lost"];function $e(e){return ve.find(t=>t.type===e)}function xe(e){return ve.find(t=>t.page===e)}function _e(e,t,s=!1){let a=t[e.type];if(!a)return s?e.many:e.one;let i=a.charAt(0).toUpperCase()+a.slice(1);return s&&!i.endsWith("s")?`${i}s`:i}function Te(e){return e.replace(/_id$/,"").replace(/_at$/,"").replace(/_/g," ")}function Se(e,t){let s=e[t];return null==s||""===s?"—":"boolean"==typeof s?s?"Yes":"No":/amount|value|revenue/.test(t)?ne(s,e.currency):/(_at|_date)$/.test(t)?de(s):"probability"===t?`${String(s)}%`:Array.isArray(s)?s.map(ze).join(", ")||"—":["status","stage","source","health","priority","activity_type","note_type","type"].includes(t)?me(String(s)):ze(s)}function ze(e){if("object"!=typeof e||null===e)return String(e);let t=e;return"string"==typeof t.name?t.name:Object.values(t).filter(e=>"object"!=typeof e&&""!==e).join(", ")}function Me(e){let t=$e(e.entity.type)?.one.toLowerCase()??e.entity.type,s=e.entity.name;if("undo_last"===e.tool)return`took back a change of ${s}`;if("created"===e.action)return`created the ${t} ${s}`;if("deleted"===e.action)return`deleted the ${t} ${s}`;let{before:a,after:i}=e;for(let e of["stage","status","health","owner"])if(e in i)return`${"stage"===e?`moved ${s}`:`set the ${e} of ${s}`} from ${Se(a,e)} to ${Se(i,e)}`;let n=Object.keys(i).filter(e=>!["version","updated_at"].includes(e));return n.length?`changed ${n.slice(0,3).map(Te).join(", ")} of ${s}`:`changed ${s}`}var Ae="What is on my plate today?",Ee=["List everything I asked you to remember","Show my sticky notes"];function Ce(e,t){return`Move the deal ${t.display_name} to the stage ${me(e).toLowerCase()}`}var De=e`:host{display:block;font-size:var(--aisha-text-s);color:var(--aisha-ink)}h1{margin:0;font-size:20px;letter-spacing:-.01em}h2{margin:0 0 var(--aisha-3);font-size:var(--aisha-text-m)}p{margin:0}a{color:var(--aisha-accent)}.muted{color:var(--aisha-muted)}.row{display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-3)}.head{display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-3);margin-block-end:var(--aisha-4)}.row .end,.head .end{margin-inline-start:auto}.card{background:var(--aisha-raised);border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);padding:var(--aisha-4)}.grid{display:grid;gap:var(--aisha-4);grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));align-items:start}.scroll{overflow:auto;border:1px solid var(--aisha-line);border-radius:var(--aisha-radius)}table{inline-size:100%;border-collapse:collapse}th{position:sticky;inset-block-start:0;background:var(--aisha-raised);color:var(--aisha-muted);font-weight:600;text-align:start;white-space:nowrap}th,td{padding:9px var(--aisha-3);border-block-end:1px solid var(--aisha-line);vertical-align:top}tr:last-child td{border-block-end:0}.number{text-align:end;font-variant-numeric:tabular-nums}td.name{overflow-wrap:anywhere;min-inline-size:16ch;max-inline-size:48ch}progress{appearance:none;display:block;inline-size:100%;block-size:8px;border:0;border-radius:4px;overflow:hidden;background:var(--aisha-hover)}progress::-webkit-progress-bar{background:var(--aisha-hover)}progress::-webkit-progress-value{background:var(--aisha-accent-fill)}progress::-moz-progress-bar{background:var(--aisha-accent-fill)}.badge{display:inline-block;padding:2px 8px;border-radius:999px;font-size:var(--aisha-text-xs);font-weight:600;background:var(--aisha-hover);color:var(--aisha-ink);white-space:nowrap}.badge.good{color:var(--aisha-good)}.badge.warn{color:var(--aisha-warn);background:var(--aisha-warn-soft)}.badge.bad{color:var(--aisha-danger);background:var(--aisha-danger-soft)}.badge.accent{color:var(--aisha-accent);background:var(--aisha-accent-soft)}.link{color:var(--aisha-accent);font-weight:600;text-align:start;text-decoration:none;border-radius:4px}.link:hover{text-decoration:underline}.marked{background:var(--aisha-accent-soft);box-shadow:inset 3px 0 0 var(--aisha-accent)}.empty{display:grid;gap:var(--aisha-3);justify-items:center;padding:var(--aisha-6);text-align:center;color:var(--aisha-muted);border:1px dashed var(--aisha-line-strong);border-radius:var(--aisha-radius)}.error{color:var(--aisha-danger)}.skeleton{block-size:220px;border-radius:var(--aisha-radius);background:var(--aisha-raised);border:1px solid var(--aisha-line);animation:wait 1.6s ease-in-out infinite alternate}@keyframes wait{to{opacity:.55}}.tabs{display:flex;flex-wrap:wrap;gap:var(--aisha-1)}.tabs a,.tabs button{padding:7px 12px;border-radius:var(--aisha-radius-s);color:var(--aisha-muted);font-weight:600;text-decoration:none}.tabs a:hover,.tabs button:hover{background:var(--aisha-hover);color:var(--aisha-ink)}.tabs [aria-current=page],.tabs [aria-pressed=true]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}label.field{display:grid;gap:var(--aisha-1);font-weight:600}label.field .muted{font-weight:400}dl.fields{display:grid;grid-template-columns:minmax(9ch,auto) 1fr;gap:var(--aisha-2) var(--aisha-4);margin:0}dl.fields dt{color:var(--aisha-muted)}dl.fields dd{margin:0;overflow-wrap:anywhere}code,pre{font-family:var(--aisha-mono);font-size:var(--aisha-text-xs);overflow-wrap:anywhere;white-space:pre-wrap;margin:0}`,Le={warm:"warn",qualified:"good",completed:"good",executed:"good",closed_won:"good",healthy:"good",ok:"good",done:"good",open:"accent",scheduled:"accent",proposal:"accent",negotiation:"accent",needs_confirmation:"warn",pending:"warn",at_risk:"warn",high:"warn",urgent:"bad",overdue:"bad",critical:"bad",failed:"bad",rejected:"bad",unavailable:"bad",stalled:"bad",lost:"bad",closed_lost:"bad"};function Ne(e,a){return"string"==typeof e&&e?t`<span class="badge ${a??Le[e]??""}">${me(e)}</span>`:s}function Pe(e,a=s){return t`<div class="empty">
<p>${e}</p>
${a}
</div>`}function Oe(e,s){return t`<div class="empty" role="alert">
<p class="error">${e}</p>
<button class="button" @click=${s}>Try again</button>
</div>`}var Ue=t`<div class="skeleton" role="status"><span class="hidden-text">Loading</span></div>`,Ie=ve.find(e=>"activity"===e.type),Re=["Overdue","Today","Next 7 days","Later","Without a date","Done"],qe=class extends a{constructor(){super(...arguments),this.view="list",this.month=Fe(new Date)}firstUpdated(){this.list=new ye(this,"activity",!0),this.list.load()}render(){let e=this.list;return t`<div class="head">
<h1>${_e(Ie,this.desk.profile.labels,!0)}</h1>
<nav class="tabs" aria-label="View">
<a href="#/activities" aria-current=${"list"===this.view?"page":s}>List</a>
<a href="#/calendar" aria-current=${"calendar"===this.view?"page":s}>Calendar</a>
</nav>
<button class="button end" @click=${()=>this.desk.ask(Ae)}>${Ae}</button>
</div>
${!e||e.isLoading&&!e.items.length?Ue:e.error?Oe(e.error,()=>e.load()):"calendar"===this.view?this.calendar(e.items):this.groups(e.items)}`}groups(e){if(!e.length)return Pe("There are no activities yet. Ask the assistant to plan one.");let a=new Map(Re.map(e=>[e,[]]));for(let t of e)a.get(je(t)).push(t);return t`${Re.map(e=>{let i=We(a.get(e),"Done"===e),n="Done"===e?i.slice(0,20):i;return n.length?t`<section>
<h2>${e} <span class="muted">${i.length}</span></h2>
<div class="scroll" tabindex="0" role="region" aria-label=${e}>
<table>
<tbody>
${n.map(t=>this.row(t,e))}
</tbody>
</table>
</div>
</section>`:s})}`}row(e,a){let i=e.related,n=this.desk.feed.markOf(e.id);return t`<tr class=${n?"marked":""}>
<td class="name">
<a class="link" dir="auto" href="#/activities/${e.id}">${e.display_name}</a>
${n?t` <span class="badge accent">${n.action} by ${n.isOwn?"you":n.user}</span>`:s}
</td>
<td dir="auto">${i?.name??"—"}</td>
<td>${me(String(e.activity_type))}</td>
<td>${e.due_at?ce(e.due_at):"—"}</td>
<td>${Ne("Overdue"===a?"overdue":e.status)}</td>
<td>${e.owner?me(String(e.owner)):"—"}</td>
</tr>`}calendar(e){let s=new Map;for(let t of e){let e=le(t.due_at);e&&s.set(e.toDateString(),[...s.get(e.toDateString())??[],t])}let a=(e=>{let t=(e.getDay()+6)%7,s=new Date(e.getFullYear(),e.getMonth()+1,0).getDate(),a=Math.min(6,Math.ceil((t+s)/7));return Array.from({length:7*a},(s,a)=>new Date(e.getFullYear(),e.getMonth(),1-t+a))})(this.month),i=this.month.toLocaleDateString(void 0,{month:"long",year:"numeric"});return t`<div class="head">
<button class="icon-button" aria-label="Month before" @click=${()=>this.turn(-1)}>‹</button>
<h2 aria-live="polite">${i}</h2>
<button class="icon-button" aria-label="Month after" @click=${()=>this.turn(1)}>›</button>
<button class="button" @click=${()=>this.month=Fe(new Date)}>Today</button>
</div>
<div class="scroll" tabindex="0" role="region" aria-label="Calendar of ${i}">
<table class="calendar">
<thead>
<tr>
${a.slice(0,7).map(e=>t`<th scope="col">${e.toLocaleDateString(void 0,{weekday:"short"})}</th>`)}
</tr>
</thead>
<tbody>
${Array.from({length:a.length/7},(e,i)=>t`<tr>
${a.slice(7*i,7*i+7).map(e=>this.day(e,s.get(e.toDateString())??[]))}
</tr>`)}
</tbody>
</table>
</div>`}day(e,a){let i=e.getMonth()!==this.month.getMonth(),n=We(a).slice(0,3);return t`<td class="${i?"other":""} ${0===ue(e)?"today":""}">
<span class="day">${e.getDate()}</span>
${n.map(e=>t`<a
class="entry ${String(e.status)} ${this.desk.feed.markOf(e.id)?"marked":""}"
href="#/activities/${e.id}"
title=${e.display_name}
>${he(e.due_at)} ${e.display_name}</a
>`)}
${a.length>n.length?t`<span class="muted">+${a.length-n.length} more</span>`:s}
</td>`}turn(e){this.month=new Date(this.month.getFullYear(),this.month.getMonth()+e,1)}};function je(e){if("scheduled"!==e.status)return"Done";let t=le(e.due_at);if(!t)return"Without a date";let s=ue(t);return t.getTime()<Date.now()?"Overdue":0===s?"Today":s<=7?"Next 7 days":"Later"}function We(e,t=!1){let s=e=>le(e.due_at)?.getTime()??0;return e.toSorted((e,a)=>t?s(a)-s(e):s(e)-s(a))}function Fe(e){return new Date(e.getFullYear(),e.getMonth(),1)}qe.styles=[m,De,e`section{margin-block-end:var(--aisha-5)}h2{margin-block-end:var(--aisha-2)}.calendar{table-layout:fixed;min-inline-size:640px}.calendar td{block-size:96px;padding:var(--aisha-1);border-inline-end:1px solid var(--aisha-line)}.calendar td.other{background:var(--aisha-sunken)}.day{display:inline-block;min-inline-size:24px;padding:2px 4px;text-align:center;color:var(--aisha-muted);border-radius:999px}.today .day{background:var(--aisha-accent-fill);color:var(--aisha-on-accent);font-weight:700}.entry{display:block;min-block-size:24px;padding:3px 6px;margin-block-start:3px;border-radius:4px;font-size:var(--aisha-text-xs);background:var(--aisha-hover);color:inherit;text-decoration:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.entry.completed,.entry.cancelled{text-decoration:line-through;color:var(--aisha-muted)}`],$([i({attribute:!1})],qe.prototype,"desk",2),$([i()],qe.prototype,"view",2),$([n()],qe.prototype,"month",2),qe=$([h("desk-activities")],qe);var Ye=ve.find(e=>"opportunity"===e.type),Ge=class extends a{constructor(){super(...arguments),this.over="",this.owner=""}firstUpdated(){this.list=new ye(this,"opportunity",!0),this.list.load()}render(){let e=this.list;if(!e||e.isLoading&&!e.items.length)return Ue;if(e.error)return Oe(e.error,()=>e.load());let s=[...new Set(e.items.map(e=>String(e.owner??"")))].filter(Boolean).sort();return t`<div class="head">
<h1>${_e(Ye,this.desk.profile.labels,!0)}</h1>
<span class="muted">${e.items.length}${e.next?"+":""} in all</span>
<label class="row end">
<span class="muted">Owner</span>
<select
.value=${this.owner}
@change=${e=>this.owner=e.target.value}
>
<option value="">Everyone</option>
${s.map(e=>t`<option value=${e}>${me(e)}</option>`)}
</select>
</label>
</div>
${e.items.length?t`<div class="board" role="group" tabindex="0" aria-label="Deals by stage">
${be.map(e=>this.column(e))}
</div>`:Pe("There are no deals yet. Ask the assistant to create one.")}`}column(e){let s=this.list.items.filter(t=>t.stage===e&&(!this.owner||t.owner===this.owner)),a=me(e);return t`<section
class=${this.over===e?"over":""}
aria-label="${a}, ${s.length}"
@dragover=${t=>this.hover(t,e)}
@dragleave=${()=>this.over=""}
@drop=${t=>this.drop(t,e)}
>
<header>
<h2>${a}<span class="muted">${s.length}</span></h2>
<span class="muted">${He(s)}</span>
</header>
<ul>
${s.map(e=>t`<li>${this.card(e)}</li>`)}
</ul>
</section>`}card(e){let a=this.desk.feed.markOf(e.id),i=le(e.close_date),n=!String(e.stage).startsWith("closed"),r=i&&n&&ue(i)<0;return t`<a
class="card ${a?"marked":""}"
href="#/opportunities/${e.id}"
draggable="true"
@dragstart=${()=>this.dragged=e}
>
<strong>${e.display_name}</strong>
<span>${ne(e.amount,e.currency)}</span>
<span class="foot muted">
<span class=${r?"late":""}
>${i?`${r?"was due ":""}${pe(e.close_date)}`:"no date"}</span
>
<span>${e.owner?me(String(e.owner)):""}</span>
</span>
${a?t`<span class="news">${a.isOwn?"You":a.user} ${Me(a)}</span>`:s}
</a>`}hover(e,t){!this.dragged||this.dragged.stage===t||(e.preventDefault(),this.over=t)}drop(e,t){e.preventDefault(),this.over="",this.dragged&&this.desk.ask(Ce(t,this.dragged)),this.dragged=void 0}};function He(e){let t=new Map;for(let s of e){let e=String(s.currency??"USD");t.set(e,(t.get(e)??0)+Number(s.amount??0))}return[...t].map(([e,t])=>ne(t,e,!0)).join(" + ")||"—"}Ge.styles=[m,De,e`.board{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(208px,1fr);gap:var(--aisha-3);overflow-x:auto;padding-block-end:var(--aisha-3);align-items:start}section{background:var(--aisha-sunken);border:1px solid var(--aisha-line);border-radius:var(--aisha-radius);padding:var(--aisha-2);min-block-size:180px}section.over{border-color:var(--aisha-accent);background:var(--aisha-accent-soft)}header{display:grid;gap:2px;padding:var(--aisha-2)}h2{display:flex;justify-content:space-between;margin:0;font-size:var(--aisha-text-s)}ul{display:grid;gap:var(--aisha-2);margin:0;padding:0;list-style:none}.card{display:grid;gap:var(--aisha-1);inline-size:100%;padding:var(--aisha-3);text-align:start;cursor:pointer;text-decoration:none;color:inherit}.card:hover{border-color:var(--aisha-line-strong)}.card strong{overflow-wrap:anywhere;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}.card.marked{border-color:var(--aisha-accent);animation:arrive .6s ease-out}.foot{display:flex;justify-content:space-between;gap:var(--aisha-2)}.late{color:var(--aisha-danger)}.news{font-size:var(--aisha-text-xs);color:var(--aisha-accent);overflow-wrap:anywhere}@keyframes arrive{0%{transform:translateY(-6px);opacity:.3}}`],$([i({attribute:!1})],Ge.prototype,"desk",2),$([n()],Ge.prototype,"over",2),$([n()],Ge.prototype,"owner",2),Ge=$([h("desk-board")],Ge);var Be=class extends a{constructor(){super(...arguments),this.shown=[],this.undoing="",this.take=e=>{let t=new Map;for(let s of e.detail){let e=s.operation??String(s.sequence);t.set(e,[...t.get(e)??[],s])}for(let[e,s]of t)this.forgetUndone(s),this.shown=[{key:e,changes:s},...this.shown.filter(t=>t.key!==e)].slice(0,3),setTimeout(()=>this.expire(e),s[0].isOwn?3e4:12e3)}}connectedCallback(){super.connectedCallback(),this.desk.feed.addEventListener("changes",this.take)}disconnectedCallback(){super.disconnectedCallback(),this.desk.feed.removeEventListener("changes",this.take)}render(){return t`<aside aria-label="Changes">
<div role="status" class="hidden-text">${this.shown[0]?this.words(this.shown[0]):s}</div>
${this.shown.map(e=>this.row(e))}
</aside>`}row(e){let a=e.changes[0],i=a.isOwn&&a.operation&&"undo_last"!==a.tool;return t`<div class="change">
<p>${this.words(e)}</p>
${i?t`<button class="button" ?disabled=${this.undoing===e.key} @click=${()=>this.undo(e)}>
Undo
</button>`:s}
<button class="icon-button small" aria-label="Dismiss" @click=${()=>this.drop(e.key)}>✕</button>
</div>`}words(e){let t=e.changes[0],s=t.isOwn?"You":t.user;if(1===e.changes.length)return`${s} ${Me(t)}.`;let a=$e(t.entity.type)?.many.toLowerCase()??"records";return`${s} ${"undo_last"===t.tool?"took back a change of":t.action} ${e.changes.length} ${a}.`}forgetUndone(e){if("undo_last"!==e[0].tool)return;let t=new Set(e.map(e=>e.entity.id));this.shown=this.shown.filter(e=>!e.changes.every(e=>t.has(e.entity.id)))}expire(e){this.matches(":hover, :focus-within")?setTimeout(()=>this.expire(e),12e3):this.drop(e)}drop(e){this.shown=this.shown.filter(t=>t.key!==e)}async undo(e){this.undoing=e.key;try{let t=e.changes[0].operation??null;await this.desk.api.rest.POST("/api/ai/undo",{params:{header:{"Idempotency-Key":`undo.${e.key}`}},body:{operation:t}}),this.shown=this.shown.filter(t=>t.key!==e.key),this.desk.feed.poke()}catch(e){this.desk.tell(fe(e),!0)}this.undoing=""}};Be.styles=[m,De,e`:host{position:fixed;inset-block-end:var(--aisha-4);inset-inline-start:var(--aisha-4);z-index:5;inline-size:min(440px,calc(100vw - 2 * var(--aisha-4)));pointer-events:none}aside{display:grid;gap:var(--aisha-2)}.change{display:flex;align-items:center;gap:var(--aisha-3);padding:var(--aisha-3) var(--aisha-4);background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius);box-shadow:var(--aisha-shadow);pointer-events:auto}.change p{flex:1;overflow-wrap:anywhere;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}`],$([i({attribute:!1})],Be.prototype,"desk",2),$([n()],Be.prototype,"shown",2),$([n()],Be.prototype,"undoing",2),Be=$([h("desk-changes")],Be);var Ke,Ve,Je="u-off",Ze="u-label",Xe="width",Qe="height",et="bottom",tt="left",st="right",at="#000",it=at+"0",nt="mousemove",rt="mousedown",ot="mouseup",lt="mouseenter",dt="mouseleave",ht="dblclick",ct="change",ut="dppxchange",pt="--",mt=typeof window<"u",gt=mt?document:null,ft=mt?window:null,yt=mt?navigator:null;function vt(e,t){if(null!=t){let s=e.classList;!s.contains(t)&&s.add(t)}}function bt(e,t){let s=e.classList;s.contains(t)&&s.remove(t)}function wt(e,t,s){e.style[t]=s+"px"}function kt(e,t,s,a){let i=gt.createElement(e);return null!=t&&vt(i,t),s?.insertBefore(i,a),i}function $t(e,t){return kt("div",e,t)}var xt=new WeakMap;function _t(e,t,s,a,i){let n="translate("+t+"px,"+s+"px)";n!=xt.get(e)&&(e.style.transform=n,xt.set(e,n),t<0||s<0||t>a||s>i?vt(e,Je):bt(e,Je))}var Tt=new WeakMap;function St(e,t,s){let a=t+s;a!=Tt.get(e)&&(Tt.set(e,a),e.style.background=t,e.style.borderColor=s)}var zt=new WeakMap;function Mt(e,t,s,a){let i=t+""+s;i!=zt.get(e)&&(zt.set(e,i),e.style.height=s+"px",e.style.width=t+"px",e.style.marginLeft=a?-t/2+"px":0,e.style.marginTop=a?-s/2+"px":0)}var At={passive:!0},Et={...At,capture:!0};function Ct(e,t,s,a){t.addEventListener(e,s,a?Et:At)}function Dt(e,t,s,a){t.removeEventListener(e,s,At)}function Lt(e,t,s,a){let i;s=s||0;let n=(a=a||t.length-1)<=2147483647;for(;a-s>1;)i=n?s+a>>1:Xt((s+a)/2),t[i]<e?s=i:a=i;return e-t[s]<=t[a]-e?s:a}function Nt(e){return(t,s,a)=>{let i=-1,n=-1;for(let n=s;n<=a;n++)if(e(t[n])){i=n;break}for(let i=a;i>=s;i--)if(e(t[i])){n=i;break}return[i,n]}}mt&&function e(){let t=devicePixelRatio;Ke!=t&&(Ke=t,Ve&&Dt(ct,Ve,e),Ve=matchMedia(`(min-resolution: ${Ke-.001}dppx) and (max-resolution: ${Ke+.001}dppx)`),Ct(ct,Ve,e),ft.dispatchEvent(new CustomEvent(ut)))}();var Pt=e=>null!=e,Ot=e=>null!=e&&e>0,Ut=Nt(Pt),It=Nt(Ot);function Rt(e,t,s,a){let i=is(e),n=is(t);e==t&&(-1==i?(e*=s,t/=s):(e/=s,t*=s));let r=10==s?ns:rs,o=1==n?es:Xt,l=(1==i?Xt:es)(r(Zt(e))),d=o(r(Zt(t))),h=as(s,l),c=as(s,d);return 10==s&&(l<0&&(h=xs(h,-l)),d<0&&(c=xs(c,-d))),a||2==s?(e=h*i,t=c*n):(e=$s(e,h),t=ks(t,c)),[e,t]}function qt(e,t,s,a){let i=Rt(e,t,s,a);return 0==e&&(i[0]=0),0==t&&(i[1]=0),i}var jt={mode:3,pad:.1},Wt={pad:0,soft:null,mode:0},Ft={min:Wt,max:Wt};function Yt(e,t,s,a){return Ls(s)?Ht(e,t,s):(Wt.pad=s,Wt.soft=a?0:null,Wt.mode=a?3:0,Ht(e,t,Ft))}function Gt(e,t){return e??t}function Ht(e,t,s){let a=s.min,i=s.max,n=Gt(a.pad,0),r=Gt(i.pad,0),o=Gt(a.hard,-ls),l=Gt(i.hard,ls),d=Gt(a.soft,ls),h=Gt(i.soft,-ls),c=Gt(a.mode,0),u=Gt(i.mode,0),p=t-e,m=ns(p),g=ss(Zt(e),Zt(t)),f=ns(g),y=Zt(f-m);(p<1e-24||y>10)&&(p=0,(0==e||0==t)&&(p=1e-24,2==c&&d!=ls&&(n=0),2==u&&h!=-ls&&(r=0)));let v=p||g||1e3,b=ns(v),w=as(10,Xt(b)),k=xs($s(e-v*(0==p?0==e?.1:1:n),w/10),24),$=e>=d&&(1==c||3==c&&k<=d||2==c&&k>=d)?d:ls,x=ss(o,k<$&&e>=$?$:ts($,k)),_=xs(ks(t+v*(0==p?0==t?.1:1:r),w/10),24),T=t<=h&&(1==u||3==u&&_>=h||2==u&&_<=h)?h:-ls,S=ts(l,_>T&&t<=T?T:ss(T,_));return x==S&&0==x&&(S=100),[x,S]}var Bt=new Intl.NumberFormat(mt?yt.language:"en-US"),Kt=e=>Bt.format(e),Vt=Math,Jt=Vt.PI,Zt=Vt.abs,Xt=Vt.floor,Qt=Vt.round,es=Vt.ceil,ts=Vt.min,ss=Vt.max,as=Vt.pow,is=Vt.sign,ns=Vt.log10,rs=Vt.log2,os=(e,t=1)=>Vt.asinh(e/t),ls=1/0;function ds(e){return 1+(0|ns((e^e>>31)-(e>>31)))}function hs(e,t,s){return ts(ss(e,t),s)}function cs(e){return"function"==typeof e}function us(e){return cs(e)?e:()=>e}var ps=e=>e,ms=(e,t)=>t,gs=e=>null,fs=e=>!0,ys=(e,t)=>e==t,vs=/\.\d*?(?=9{6,}|0{6,})/gm,bs=e=>{if(Cs(e)||_s.has(e))return e;let t=`${e}`,s=t.match(vs);if(null==s)return e;let a=s[0].length-1;if(-1!=t.indexOf("e-")){let[e,s]=t.split("e");return+`${bs(e)}e${s}`}return xs(e,a)};function ws(e,t){return bs(xs(bs(e/t))*t)}function ks(e,t){return bs(es(bs(e/t))*t)}function $s(e,t){return bs(Xt(bs(e/t))*t)}function xs(e,t=0){if(Cs(e))return e;let s=10**t,a=e*s*(1+Number.EPSILON);return Qt(a)/s}var _s=new Map;function Ts(e){return((""+e).split(".")[1]||"").length}function Ss(e,t,s,a){let i=[],n=a.map(Ts);for(let r=t;r<s;r++){let t=Zt(r),s=xs(as(e,r),t);for(let o=0;o<a.length;o++){let l=10==e?+`${a[o]}e${r}`:a[o]*s,d=(r>=0?0:t)+(r>=n[o]?0:n[o]),h=10==e?l:xs(l,d);i.push(h),_s.set(h,d)}}return i}var zs={},Ms=[],As=[null,null],Es=Array.isArray,Cs=Number.isInteger;function Ds(e){return"string"==typeof e}function Ls(e){let t=!1;if(null!=e){let s=e.constructor;t=null==s||s==Object}return t}function Ns(e){return null!=e&&"object"==typeof e}var Ps=Object.getPrototypeOf(Uint8Array),Os="__proto__";function Us(e,t=Ls){let s;if(Es(e)){let a=e.find(e=>null!=e);if(Es(a)||t(a)){s=Array(e.length);for(let a=0;a<e.length;a++)s[a]=Us(e[a],t)}else s=e.slice()}else if(e instanceof Ps)s=e.slice();else if(t(e)){s={};for(let a in e)a!=Os&&(s[a]=Us(e[a],t))}else s=e;return s}function Is(e){let t=arguments;for(let s=1;s<t.length;s++){let a=t[s];for(let t in a)t!=Os&&(Ls(e[t])?Is(e[t],Us(a[t])):e[t]=Us(a[t]))}return e}function Rs(e,t,s){for(let a,i=0,n=-1;i<t.length;i++){let r=t[i];if(r>n){for(a=r-1;a>=0&&null==e[a];)e[a--]=null;for(a=r+1;a<s&&null==e[a];)e[n=a++]=null}}}var qs=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask,js=["January","February","March","April","May","June","July","August","September","October","November","December"],Ws=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Fs(e){return e.slice(0,3)}var Ys=Ws.map(Fs),Gs=js.map(Fs),Hs={MMMM:js,MMM:Gs,WWWW:Ws,WWW:Ys};function Bs(e){return(e<10?"0":"")+e}var Ks={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Bs(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>Bs(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Bs(e.getHours()),H:e=>e.getHours(),h:e=>{let t=e.getHours();return 0==t?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Bs(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Bs(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>(e=>(e<10?"00":e<100?"0":"")+e)(e.getMilliseconds())};function Vs(e,t){t=t||Hs;let s,a=[],i=/\{([a-z]+)\}|[^{]+/gi;for(;s=i.exec(e);)a.push("{"==s[0][0]?Ks[s[1]]:s[0]);return e=>{let s="";for(let i=0;i<a.length;i++)s+="string"==typeof a[i]?a[i]:a[i](e,t);return s}}var Js=(new Intl.DateTimeFormat).resolvedOptions().timeZone,Zs=e=>e%1==0,Xs=[1,2,2.5,5],Qs=Ss(10,-32,0,Xs),ea=Ss(10,0,32,Xs),ta=ea.filter(Zs),sa=Qs.concat(ea),aa="{YYYY}",ia="\n"+aa,na="{M}/{D}",ra="\n"+na,oa=ra+"/{YY}",la="{aa}",da="{h}:{mm}"+la,ha="\n"+da,ca=":{ss}",ua=null;function pa(e){let t=1e3*e,s=60*t,a=60*s,i=24*a,n=30*i,r=365*i;return[(1==e?Ss(10,0,3,Xs).filter(Zs):Ss(10,-3,0,Xs)).concat([t,5*t,10*t,15*t,30*t,s,5*s,10*s,15*s,30*s,a,2*a,3*a,4*a,6*a,8*a,12*a,i,2*i,3*i,4*i,5*i,6*i,7*i,8*i,9*i,10*i,15*i,n,2*n,3*n,4*n,6*n,r,2*r,5*r,10*r,25*r,50*r,100*r]),[[r,aa,ua,ua,ua,ua,ua,ua,1],[28*i,"{MMM}",ia,ua,ua,ua,ua,ua,1],[i,na,ia,ua,ua,ua,ua,ua,1],[a,"{h}"+la,oa,ua,ra,ua,ua,ua,1],[s,da,oa,ua,ra,ua,ua,ua,1],[t,ca,oa+" "+da,ua,ra+" "+da,ua,ha,ua,1],[e,ca+".{fff}",oa+" "+da,ua,ra+" "+da,ua,ha,ua,1]],t=>(o,l,d,h,c,u)=>{let p=[],m=c>=r,g=c>=n&&c<r,f=t(d),y=xs(f*e,3),v=$a(f.getFullYear(),m?0:f.getMonth(),g||m?1:f.getDate()),b=xs(v*e,3);if(g||m){let s=g?c/n:0,a=m?c/r:0,i=y==b?y:xs($a(v.getFullYear()+a,v.getMonth()+s,1)*e,3),o=new Date(Qt(i/e)),l=o.getFullYear(),d=o.getMonth();for(let n=0;i<=h;n++){let r=$a(l+a*n,d+s*n,1),o=r-t(xs(r*e,3));i=xs((+r+o)*e,3),i<=h&&p.push(i)}}else{let n=c>=i?i:c,r=b+(Xt(d)-Xt(y))+ks(y-b,n);p.push(r);let m=t(r),g=m.getHours()+m.getMinutes()/s+m.getSeconds()/a,f=c/a,v=u/o.axes[l]._space;for(;r=xs(r+c,1==e?0:3),!(r>h);)if(f>1){let e=Xt(xs(g+f,6))%24,s=t(r).getHours()-e;s>1&&(s=-1),r-=s*a,g=(g+f)%24,xs((r-p[p.length-1])/c,3)*v>=.7&&p.push(r)}else p.push(r)}return p}]}var[ma,ga,fa]=pa(1),[ya,va,ba]=pa(.001);function wa(e,t){return e.map(e=>e.map((s,a)=>0==a||8==a||null==s?s:t(1==a||0==e[8]?s:e[1]+s)))}function ka(e,t){return(s,a,i,n,r)=>{let o,l,d,h,c,u,p=t.find(e=>r>=e[0])||t[t.length-1];return a.map(t=>{let s=e(t),a=s.getFullYear(),i=s.getMonth(),n=s.getDate(),r=s.getHours(),m=s.getMinutes(),g=s.getSeconds(),f=a!=o&&p[2]||i!=l&&p[3]||n!=d&&p[4]||r!=h&&p[5]||m!=c&&p[6]||g!=u&&p[7]||p[1];return o=a,l=i,d=n,h=r,c=m,u=g,f(s)})}}function $a(e,t,s){return new Date(e,t,s)}function xa(e,t){return t(e)}function _a(e,t){return(s,a,i,n)=>null==n?pt:t(e(a))}Ss(2,-53,53,[1]);var Ta={show:!0,live:!0,isolate:!1,mount:()=>{},markers:{show:!0,width:2,stroke:(e,t)=>{let s=e.series[t];return s.width?s.stroke(e,t):s.points.width?s.points.stroke(e,t):null},fill:(e,t)=>e.series[t].fill(e,t),dash:"solid"},idx:null,idxs:null,values:[]},Sa=[0,0];function za(e,t,s,a=!0){return e=>{0==e.button&&(!a||e.target==t)&&s(e)}}function Ma(e,t,s,a=!0){return e=>{(!a||e.target==t)&&s(e)}}var Aa={show:!0,x:!0,y:!0,lock:!1,move:(e,t,s)=>(Sa[0]=t,Sa[1]=s,Sa),points:{one:!1,show:(e,t)=>{let s=e.cursor.points,a=$t(),i=s.size(e,t);wt(a,Xe,i),wt(a,Qe,i);let n=i/-2;wt(a,"marginLeft",n),wt(a,"marginTop",n);let r=s.width(e,t,i);return r&&wt(a,"borderWidth",r),a},size:(e,t)=>e.series[t].points.size,width:0,stroke:(e,t)=>{let s=e.series[t].points;return s._stroke||s._fill},fill:(e,t)=>{let s=e.series[t].points;return s._fill||s._stroke}},bind:{mousedown:za,mouseup:za,click:za,dblclick:za,mousemove:Ma,mouseleave:Ma,mouseenter:Ma},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,s,a,i)=>a-i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Ea={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Ca=Is({},Ea,{filter:ms}),Da=Is({},Ca,{size:10}),La=Is({},Ea,{show:!1}),Na='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Pa="bold "+Na,Oa={show:!0,scale:"x",stroke:at,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Pa,side:2,grid:Ca,ticks:Da,border:La,font:Na,lineGap:1.5,rotate:0},Ua={show:!0,scale:"x",auto:!1,sorted:1,min:ls,max:-ls,idxs:[]};function Ia(e,t,s,a,i){return t.map(e=>null==e?"":Kt(e))}function Ra(e,t,s,a,i,n,r){let o=[],l=_s.get(i)||0;for(let e=s=r?s:xs(ks(s,i),l);e<=a;e=xs(e+i,l))o.push(Object.is(e,-0)?0:e);return o}function qa(e,t,s,a,i,n,r){let o=[],l=e.scales[e.axes[t].scale].log,d=Xt((10==l?ns:rs)(s));i=as(l,d),10==l&&(i=sa[Lt(i,sa)]);let h=s,c=i*l;10==l&&(c=sa[Lt(c,sa)]);do{o.push(h),h+=i,10==l&&!_s.has(h)&&(h=xs(h,_s.get(i))),h>=c&&(c=(i=h)*l,10==l&&(c=sa[Lt(c,sa)]))}while(h<=a);return o}function ja(e,t,s,a,i,n,r){let o=e.scales[e.axes[t].scale].asinh,l=a>o?qa(e,t,ss(o,s),a,i):[o],d=a>=0&&s<=0?[0]:[];return(s<-o?qa(e,t,ss(o,-a),-s,i):[o]).reverse().map(e=>-e).concat(d,l)}var Wa=/./,Fa=/[12357]/,Ya=/[125]/,Ga=/1/,Ha=(e,t,s,a)=>e.map((e,i)=>4==t&&0==e||i%a==0&&s.test(e.toExponential()[e<0?1:0])?e:null);function Ba(e,t,s,a,i){let n=e.axes[s],r=n.scale,o=e.scales[r],l=e.valToPos,d=n._space,h=l(10,r),c=l(9,r)-h>=d?Wa:l(7,r)-h>=d?Fa:l(5,r)-h>=d?Ya:Ga;if(c==Ga){let e=Zt(l(1,r)-h);if(e<d)return Ha(t.slice().reverse(),o.distr,c,es(d/e)).reverse()}return Ha(t,o.distr,c,1)}function Ka(e,t,s,a,i){let n=e.axes[s],r=n.scale,o=n._space,l=e.valToPos,d=Zt(l(1,r)-l(2,r));return d<o?Ha(t.slice().reverse(),3,Wa,es(o/d)).reverse():t}function Va(e,t,s,a){return null==a?pt:null==t?"":Kt(t)}var Ja={show:!0,scale:"y",stroke:at,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Pa,side:3,grid:Ca,ticks:Da,border:La,font:Na,lineGap:1.5,rotate:0},Za={scale:null,auto:!0,sorted:0,min:ls,max:-ls},Xa=(e,t,s,a,i)=>i,Qa={show:!0,auto:!0,sorted:0,gaps:Xa,alpha:1,facets:[Is({},Za,{scale:"x"}),Is({},Za,{scale:"y"})]},ei={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Xa,alpha:1,points:{show:(e,t)=>{let{scale:s,idxs:a}=e.series[0],i=e._data[0],n=e.valToPos(i[a[0]],s,!0),r=e.valToPos(i[a[1]],s,!0),o=Zt(r-n)/(e.series[t].points.space*Ke);return a[1]-a[0]<=o},filter:null},values:null,min:ls,max:-ls,idxs:[],path:null,clip:null};function ti(e,t,s,a,i){return s/10}var si={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},ai=Is({},si,{time:!1,ori:1}),ii={};function ni(e,t){let s=ii[e];return s||(s={key:e,plots:[],sub(e){s.plots.push(e)},unsub(e){s.plots=s.plots.filter(t=>t!=e)},pub(e,t,a,i,n,r,o){for(let l=0;l<s.plots.length;l++)s.plots[l]!=t&&s.plots[l].pub(e,t,a,i,n,r,o)}},null!=e&&(ii[e]=s)),s}function ri(e,t,s){let a=e.mode,i=e.series[t],n=2==a?e._data[t]:e._data,r=e.scales,o=e.bbox,l=n[0],d=2==a?n[1]:n[t],h=2==a?r[i.facets[0].scale]:r[e.series[0].scale],c=2==a?r[i.facets[1].scale]:r[i.scale],u=o.left,p=o.top,m=o.width,g=o.height,f=e.valToPosH,y=e.valToPosV;return 0==h.ori?s(i,l,d,h,c,f,y,u,p,m,g,mi,fi,vi,wi,$i):s(i,l,d,h,c,y,f,p,u,g,m,gi,yi,bi,ki,xi)}function oi(e,t){let s=0,a=0,i=Gt(e.bands,Ms);for(let e=0;e<i.length;e++){let n=i[e];n.series[0]==t?s=n.dir:n.series[1]==t&&(1==n.dir?a|=1:a|=2)}return[s,1==a?-1:2==a?1:3==a?2:0]}function li(e,t,s,a,i){let n=e.mode,r=e.series[t],o=2==n?r.facets[1].scale:r.scale,l=e.scales[o];return-1==i?l.min:1==i?l.max:3==l.distr?1==l.dir?l.min:l.max:0}function di(e,t,s,a,i,n){return ri(e,t,(e,t,r,o,l,d,h,c,u,p,m)=>{let g,f,y=e.pxRound,v=o.dir*(0==o.ori?1:-1),b=0==o.ori?fi:yi;1==v?(g=s,f=a):(g=a,f=s);let w=y(d(t[g],o,p,c)),k=y(h(r[g],l,m,u)),$=y(d(t[f],o,p,c)),x=y(h(1==n?l.max:l.min,l,m,u)),_=new Path2D(i);return b(_,$,x),b(_,w,x),b(_,w,k),_})}function hi(e,t,s,a,i,n){let r=null;if(e.length>0){r=new Path2D;let o=0==t?vi:bi,l=s;for(let t=0;t<e.length;t++){let s=e[t];if(s[1]>s[0]){let e=s[0]-l;e>0&&o(r,l,a,e,a+n),l=s[1]}}let d=s+i-l,h=10;d>0&&o(r,l,a-h/2,d,a+n+h)}return r}function ci(e,t,s,a,i,n,r){let o=[],l=e.length;for(let d=1==i?s:a;d>=s&&d<=a;d+=i)if(null===t[d]){let h=d,c=d;if(1==i)for(;++d<=a&&null===t[d];)c=d;else for(;--d>=s&&null===t[d];)c=d;let u=n(e[h]),p=c==h?u:n(e[c]),m=h-i;u=r<=0&&m>=0&&m<l?n(e[m]):u;let g=c+i;p=r>=0&&g>=0&&g<l?n(e[g]):p,p>=u&&o.push([u,p])}return o}function ui(e){return 0==e?ps:1==e?Qt:t=>ws(t,e)}function pi(e){let t=0==e?mi:gi,s=0==e?(e,t,s,a,i,n)=>{e.arcTo(t,s,a,i,n)}:(e,t,s,a,i,n)=>{e.arcTo(s,t,i,a,n)},a=0==e?(e,t,s,a,i)=>{e.rect(t,s,a,i)}:(e,t,s,a,i)=>{e.rect(s,t,i,a)};return(e,i,n,r,o,l=0,d=0)=>{0==l&&0==d?a(e,i,n,r,o):(l=ts(l,r/2,o/2),d=ts(d,r/2,o/2),t(e,i+l,n),s(e,i+r,n,i+r,n+o,l),s(e,i+r,n+o,i,n+o,d),s(e,i,n+o,i,n,d),s(e,i,n,i+r,n,l),e.closePath())}}var mi=(e,t,s)=>{e.moveTo(t,s)},gi=(e,t,s)=>{e.moveTo(s,t)},fi=(e,t,s)=>{e.lineTo(t,s)},yi=(e,t,s)=>{e.lineTo(s,t)},vi=pi(0),bi=pi(1),wi=(e,t,s,a,i,n)=>{e.arc(t,s,a,i,n)},ki=(e,t,s,a,i,n)=>{e.arc(s,t,a,i,n)},$i=(e,t,s,a,i,n,r)=>{e.bezierCurveTo(t,s,a,i,n,r)},xi=(e,t,s,a,i,n,r)=>{e.bezierCurveTo(s,t,i,a,r,n)};function _i(e){return(e,t,s,a,i)=>ri(e,t,(t,n,r,o,l,d,h,c,u,p,m)=>{let g,f,{pxRound:y,points:v}=t;0==o.ori?(g=mi,f=wi):(g=gi,f=ki);let b=xs(v.width*Ke,3),w=(v.size-v.width)/2*Ke,k=xs(2*w,3),$=new Path2D,x=new Path2D,{left:_,top:T,width:S,height:z}=e.bbox;vi(x,_-k,T-k,S+2*k,z+2*k);let M=e=>{if(null!=r[e]){let t=y(d(n[e],o,p,c)),s=y(h(r[e],l,m,u));g($,t+w,s),f($,t,s,w,0,2*Jt)}};if(i)i.forEach(M);else for(let e=s;e<=a;e++)M(e);return{stroke:b>0?$:null,fill:$,clip:x,flags:3}})}function Ti(e){return(t,s,a,i,n,r)=>{a!=i&&(n!=a&&r!=a&&e(t,s,a),n!=i&&r!=i&&e(t,s,i),e(t,s,r))}}var Si=Ti(fi),zi=Ti(yi);function Mi(e){let t=Gt(e?.alignGaps,0);return(e,s,a,i)=>ri(e,s,(n,r,o,l,d,h,c,u,p,m,g)=>{[a,i]=Ut(o,a,i);let f,y,v=n.pxRound,b=e=>v(h(e,l,m,u)),w=e=>v(c(e,d,g,p));0==l.ori?(f=fi,y=Si):(f=yi,y=zi);let k=l.dir*(0==l.ori?1:-1),$={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},x=$.stroke,_=!1;if(i-a>=4*m){let t,s,n,d=t=>e.posToVal(t,l.key,!0),h=null,c=null,u=b(r[1==k?a:i]),p=b(r[a]),m=b(r[i]),g=d(1==k?p+1:m-1);for(let e=1==k?a:i;e>=a&&e<=i;e+=k){let a=r[e],i=(1==k?a<g:a>g)?u:b(a),n=o[e];i==u?null!=n?(s=n,null==h?(f(x,i,w(s)),t=h=c=s):s<h?h=s:s>c&&(c=s)):null===n&&(_=!0):(null!=h&&y(x,u,w(h),w(c),w(t),w(s)),null!=n?(s=n,f(x,i,w(s)),h=c=t=s):(h=c=null,null===n&&(_=!0)),u=i,g=d(u+k))}null!=h&&h!=c&&n!=u&&y(x,u,w(h),w(c),w(t),w(s))}else for(let e=1==k?a:i;e>=a&&e<=i;e+=k){let t=o[e];null===t?_=!0:null!=t&&f(x,b(r[e]),w(t))}let[T,S]=oi(e,s);if(null!=n.fill||0!=T){let t=$.fill=new Path2D(x),o=w(n.fillTo(e,s,n.min,n.max,T)),l=b(r[a]),d=b(r[i]);-1==k&&([d,l]=[l,d]),f(t,d,o),f(t,l,o)}if(!n.spanGaps){let d=[];_&&d.push(...ci(r,o,a,i,k,b,t)),$.gaps=d=n.gaps(e,s,a,i,d),$.clip=hi(d,l.ori,u,p,m,g)}return 0!=S&&($.band=2==S?[di(e,s,a,i,x,-1),di(e,s,a,i,x,1)]:di(e,s,a,i,x,S)),$})}function Ai(e,t,s,a,i,n,r=ls){if(e.length>1){let o=null;for(let l=0,d=1/0;l<e.length;l++)if(void 0!==t[l]){if(null!=o){let t=Zt(e[l]-e[o]);t<d&&(d=t,r=Zt(s(e[l],a,i,n)-s(e[o],a,i,n)))}o=l}}return r}function Ei(e,t,s,a,i,n){let r=e.length;if(r<2)return null;let o=new Path2D;if(s(o,e[0],t[0]),2==r)a(o,e[1],t[1]);else{let s=Array(r),a=Array(r-1),n=Array(r-1),l=Array(r-1);for(let s=0;s<r-1;s++)n[s]=t[s+1]-t[s],l[s]=e[s+1]-e[s],a[s]=n[s]/l[s];s[0]=a[0];for(let e=1;e<r-1;e++)0===a[e]||0===a[e-1]||a[e-1]>0!=a[e]>0?s[e]=0:(s[e]=3*(l[e-1]+l[e])/((2*l[e]+l[e-1])/a[e-1]+(l[e]+2*l[e-1])/a[e]),isFinite(s[e])||(s[e]=0));s[r-1]=a[r-2];for(let a=0;a<r-1;a++)i(o,e[a]+l[a]/3,t[a]+s[a]*l[a]/3,e[a+1]-l[a]/3,t[a+1]-s[a+1]*l[a]/3,e[a+1],t[a+1])}return o}var Ci=new Set;function Di(){for(let e of Ci)e.syncRect(!0)}mt&&(Ct("resize",ft,Di),Ct("scroll",ft,Di,!0),Ct(ut,ft,()=>{Hi.pxRatio=Ke}));var Li=Mi(),Ni=_i();function Pi(e,t,s,a){return(a?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((e,a)=>Oi(e,a,t,s))}function Oi(e,t,s,a){return Is({},0==t?s:a,e)}function Ui(e,t,s){return null==t?As:[t,s]}var Ii=Ui;function Ri(e,t,s){return null==t?As:Yt(t,s,.1,!0)}function qi(e,t,s,a){return null==t?As:Rt(t,s,e.scales[a].log,!1)}var ji=qi;function Wi(e,t,s,a){return null==t?As:qt(t,s,e.scales[a].log,!1)}var Fi=Wi;function Yi(e){let t,s;return[e=e.replace(/(\d+)px/,(e,a)=>(t=Qt((s=+a)*Ke))+"px"),t,s]}function Gi(e){e.show&&[e.font,e.labelFont].forEach(e=>{let t=xs(e[2]*Ke,1);e[0]=e[0].replace(/[0-9.]+px/,t+"px"),e[1]=t})}function Hi(e,t,s){let a={mode:Gt(e.mode,1)},i=a.mode;function n(e,t,s,a){let i=t.valToPct(e);return a+s*(-1==t.dir?1-i:i)}function r(e,t,s,a){let i=t.valToPct(e);return a+s*(-1==t.dir?i:1-i)}function o(e,t,s,a){return 0==t.ori?n(e,t,s,a):r(e,t,s,a)}a.valToPosH=n,a.valToPosV=r;let l=!1;a.status=0;let d=a.root=$t("uplot");null!=e.id&&(d.id=e.id),vt(d,e.class),e.title&&($t("u-title",d).textContent=e.title);let h=kt("canvas"),c=a.ctx=h.getContext("2d"),u=$t("u-wrap",d);Ct("click",u,e=>{e.target===m&&(ea!=Js||aa!=Zs)&&na.click(a,e)},!0);let p=a.under=$t("u-under",u);u.appendChild(h);let m=a.over=$t("u-over",u),g=+Gt((e=Us(e)).pxAlign,1),f=ui(g);(e.plugins||[]).forEach(t=>{t.opts&&(e=t.opts(a,e)||e)});let y=e.ms||.001,v=a.series=1==i?Pi(e.series||[],Ua,ei,!1):((e,t)=>e.map((e,s)=>0==s?{}:Is({},t,e)))(e.series||[null],Qa),b=a.axes=Pi(e.axes||[],Oa,Ja,!0),w=a.scales={},k=a.bands=e.bands||[];k.forEach(e=>{e.fill=us(e.fill||null),e.dir=Gt(e.dir,-1)});let $=2==i?v[1].facets[0].scale:v[0].scale,x={axes:()=>{for(let e=0;e<b.length;e++){let t=b[e];if(!t.show||!t._show)continue;let s,i,n=t.side,r=n%2,l=t.stroke(a,e),d=0==n||3==n?-1:1,[h,u]=t._found;if(null!=t.label){let o=t.labelGap*d,p=Qt((t._lpos+o)*Ke);Wt(t.labelFont[0],l,"center",2==n?"top":et),c.save(),1==r?(s=i=0,c.translate(p,Qt(me+fe/2)),c.rotate((3==n?-Jt:Jt)/2)):(s=Qt(pe+ge/2),i=p);let m=cs(t.label)?t.label(a,e,h,u):t.label;c.fillText(m,s,i),c.restore()}if(0==u)continue;let p=w[t.scale],m=0==r?ge:fe,g=0==r?pe:me,y=t._splits,v=2==p.distr?y.map(e=>Tt[e]):y,k=2==p.distr?Tt[y[1]]-Tt[y[0]]:h,$=t.ticks,x=t.border,_=$.show?$.size:0,T=Qt(_*Ke),S=Qt((2==t.alignTo?t._size-_-t.gap:t.gap)*Ke),z=t._rotate*-Jt/180,M=f(t._pos*Ke),A=M+(T+S)*d;i=0==r?A:0,s=1==r?A:0,Wt(t.font[0],l,1==t.align?tt:2==t.align?st:z>0?tt:z<0?st:0==r?"center":3==n?st:tt,z||1==r?"middle":2==n?"top":et);let E=t.font[1]*t.lineGap,C=y.map(e=>f(o(e,p,m,g))),D=t._values;for(let e=0;e<D.length;e++){let t=D[e];if(null!=t){0==r?s=C[e]:i=C[e],t=""+t;let a=-1==t.indexOf("\n")?[t]:t.split(/\n/gm);for(let e=0;e<a.length;e++){let t=a[e];z?(c.save(),c.translate(s,i+e*E),c.rotate(z),c.fillText(t,0,0),c.restore()):c.fillText(t,s,i+e*E)}}}$.show&&vs(C,$.filter(a,v,e,u,k),r,n,M,T,xs($.width*Ke,3),$.stroke(a,e),$.dash,$.cap);let L=t.grid;L.show&&vs(C,L.filter(a,v,e,u,k),r,0==r?2:1,0==r?me:pe,0==r?fe:ge,xs(L.width*Ke,3),L.stroke(a,e),L.dash,L.cap),x.show&&vs([M],[1],0==r?1:0,0==r?1:2,1==r?me:pe,1==r?fe:ge,xs(x.width*Ke,3),x.stroke(a,e),x.dash,x.cap)}yi("drawAxes")},series:()=>{if(Ie>0){let e=v.some(e=>e._focus)&&Ve!=Me.alpha;e&&(c.globalAlpha=Ve=Me.alpha),v.forEach((e,s)=>{if(s>0&&e.show&&(Bt(s,!1),Bt(s,!0),null==e._paths)){let n=Ve;Ve!=e.alpha&&(c.globalAlpha=Ve=e.alpha);let r=2==i?[0,t[s][0].length-1]:(e=>{let t=hs(mt-1,0,Ie-1),s=hs(yt+1,0,Ie-1);for(;null==e[t]&&t>0;)t--;for(;null==e[s]&&s<Ie-1;)s++;return[t,s]})(t[s]);e._paths=e.paths(a,s,r[0],r[1]),Ve!=n&&(c.globalAlpha=Ve=n)}}),v.forEach((e,t)=>{if(t>0&&e.show){let s=Ve;Ve!=e.alpha&&(c.globalAlpha=Ve=e.alpha),null!=e._paths&&Kt(t,!1);{let s=null!=e._paths?e._paths.gaps:null,i=e.points.show(a,t,mt,yt,s),n=e.points.filter(a,t,i,s);(i||n)&&(e.points._paths=e.points.paths(a,t,mt,yt,n),Kt(t,!0))}Ve!=s&&(c.globalAlpha=Ve=s),yi("drawSeries",t)}}),e&&(c.globalAlpha=Ve=1)}}},_=(e.drawOrder||["axes","series"]).map(e=>x[e]);function T(e){let t=3==e.distr?t=>ns(t>0?t:e.clamp(a,t,e.min,e.max,e.key)):4==e.distr?t=>os(t,e.asinh):100==e.distr?t=>e.fwd(t):e=>e;return s=>{let a=t(s),{_min:i,_max:n}=e;return(a-i)/(n-i)}}function S(t){let s=w[t];if(null==s){let a=(e.scales||zs)[t]||zs;if(null!=a.from){S(a.from);let e=Is({},w[a.from],a,{key:t});e.valToPct=T(e),w[t]=e}else{s=w[t]=Is({},t==$?si:ai,a),s.key=t;let e=s.time,n=s.range,r=Es(n);if((t!=$||2==i&&!e)&&(r&&(null==n[0]||null==n[1])&&(n={min:null==n[0]?jt:{mode:1,hard:n[0],soft:n[0]},max:null==n[1]?jt:{mode:1,hard:n[1],soft:n[1]}},r=!1),!r&&Ls(n))){let e=n;n=(t,s,a)=>null==s?As:Yt(s,a,e)}s.range=us(n||(e?Ii:t==$?3==s.distr?ji:4==s.distr?Fi:Ui:3==s.distr?qi:4==s.distr?Wi:Ri)),s.auto=us(!r&&s.auto),s.clamp=us(s.clamp||ti),s._min=s._max=null,s.valToPct=T(s)}}}S("x"),S("y"),1==i&&v.forEach(e=>{S(e.scale)}),b.forEach(e=>{S(e.scale)});for(let t in e.scales)S(t);let z,M,A=w[$],E=A.distr;0==A.ori?(vt(d,"u-hz"),z=n,M=r):(vt(d,"u-vt"),z=r,M=n);let C={};for(let e in w){let t=w[e];(null!=t.min||null!=t.max)&&(C[e]={min:t.min,max:t.max},t.min=t.max=null)}let D=e.tzDate||(e=>new Date(Qt(e/y))),L=e.fmtDate||Vs,N=1==y?fa(D):ba(D),P=ka(D,wa(1==y?ga:va,L)),O=_a(D,xa("{YYYY}-{MM}-{DD} {h}:{mm}{aa}",L)),U=[],I=a.legend=Is({},Ta,e.legend),R=a.cursor=Is({},Aa,{drag:{y:2==i}},e.cursor),q=I.show,j=R.show,W=I.markers;I.idxs=U,W.width=us(W.width),W.dash=us(W.dash),W.stroke=us(W.stroke),W.fill=us(W.fill);let F,Y,G,H,B=[],K=[],V=!1,J={};if(I.live){let e=v[1]?v[1].values:null;V=null!=e,H=V?e(a,1,0):{_:0};for(let e in H)J[e]=pt}if(q)if(F=kt("table","u-legend",d),G=kt("tbody",null,F),I.mount(a,F),V){Y=kt("thead",null,F,G);let e=kt("tr",null,Y);for(var Z in kt("th",null,e),H)kt("th",Ze,e).textContent=Z}else vt(F,"u-inline"),I.live&&vt(F,"u-live");let X={show:!0},Q={show:!1},ee=new Map;function te(e,t,s,i=!0){let n=ee.get(t)||{},r=R.bind[e](a,t,s,i);r&&(Ct(e,t,n[e]=r),ee.set(t,n))}function se(e,t,s){let a=ee.get(t)||{};for(let s in a)(null==e||s==e)&&(Dt(s,t,a[s]),delete a[s]);null==e&&ee.delete(t)}let ae=0,ie=0,ne=0,re=0,oe=0,le=0,de=oe,he=le,ce=ne,ue=re,pe=0,me=0,ge=0,fe=0;a.bbox={};let ye=!1,ve=!1,be=!1,we=!1,ke=!1,$e=!1;function xe(e,t,s){(s||e!=a.width||t!=a.height)&&_e(e,t),$s(!1),be=!0,ve=!0,Rs()}function _e(e,t){a.width=ae=ne=e,a.height=ie=re=t,oe=le=0,(()=>{let e=!1,t=!1,s=!1,a=!1;b.forEach((i,n)=>{if(i.show&&i._show){let{side:n,_size:r}=i,o=n%2,l=r+(null!=i.label?i.labelSize:0);l>0&&(o?(ne-=l,3==n?(oe+=l,a=!0):s=!0):(re-=l,0==n?(le+=l,e=!0):t=!0))}}),Oe[0]=e,Oe[1]=s,Oe[2]=t,Oe[3]=a,ne-=ct[1]+ct[3],oe+=ct[3],re-=ct[2]+ct[0],le+=ct[0]})(),(()=>{let e=oe+ne,t=le+re,s=oe,a=le;function i(i,n){switch(i){case 1:return e+=n,e-n;case 2:return t+=n,t-n;case 3:return s-=n,s+n;case 0:return a-=n,a+n}}b.forEach((e,t)=>{if(e.show&&e._show){let t=e.side;e._pos=i(t,e._size),null!=e.label&&(e._lpos=i(t,e.labelSize))}})})();let s=a.bbox;pe=s.left=ws(oe*Ke,.5),me=s.top=ws(le*Ke,.5),ge=s.width=ws(ne*Ke,.5),fe=s.height=ws(re*Ke,.5)}let Te=3;if(a.setSize=({width:e,height:t})=>{xe(e,t)},null==R.dataIdx){let e=R.hover,s=e.skip=new Set(e.skip??[]);s.add(void 0);let a=e.prox=us(e.prox),i=e.bias??=0;R.dataIdx=(e,n,r,o)=>{if(0==n)return r;let l=r,d=a(e,n,r,o)??ls,h=d>=0&&d<ls,c=0==A.ori?ne:re,u=R.left,p=t[0],m=t[n];if(s.has(m[r])){l=null;let e,t=null,a=null;if(0==i||-1==i)for(e=r;null==t&&e-- >0;)s.has(m[e])||(t=e);if(0==i||1==i)for(e=r;null==a&&e++<m.length;)s.has(m[e])||(a=e);if(null!=t||null!=a)if(h){let e=u-(null==t?-1/0:z(p[t],A,c,0)),s=(null==a?1/0:z(p[a],A,c,0))-u;e<=s?e<=d&&(l=t):s<=d&&(l=a)}else l=null==a?t:null==t?a:r-t<=a-r?t:a}else h&&Zt(u-z(p[r],A,c,0))>d&&(l=null);return l}}let Se=e=>{R.event=e};R.idxs=U,R._lock=!1;let ze=R.points;ze.show=us(ze.show),ze.size=us(ze.size),ze.stroke=us(ze.stroke),ze.width=us(ze.width),ze.fill=us(ze.fill);let Me=a.focus=Is({},e.focus||{alpha:.3},R.focus),Ae=Me.prox>=0,Ee=Ae&&ze.one,Ce=[],De=[],Le=[];function Ne(e,t){let s=ze.show(a,t);if(s instanceof HTMLElement)return vt(s,"u-cursor-pt"),vt(s,e.class),_t(s,-10,-10,ne,re),m.insertBefore(s,Ce[t]),s}function Pe(e,t){if(1==i||t>0){let t=1==i&&w[e.scale].time,s=e.value;e.value=t?Ds(s)?_a(D,xa(s,L)):s||O:s||Va,e.label=e.label||(t?"Time":"Value")}if(Ee||t>0){e.width=null==e.width?1:e.width,e.paths=e.paths||Li||gs,e.fillTo=us(e.fillTo||li),e.pxAlign=+Gt(e.pxAlign,g),e.pxRound=ui(e.pxAlign),e.stroke=us(e.stroke||null),e.fill=us(e.fill||null),e._stroke=e._fill=e._paths=e._focus=null;let t=(e=>xs(1*(3+2*(e||1)),3))(ss(1,e.width)),s=e.points=Is({},{size:t,width:ss(1,.2*t),stroke:e.stroke,space:2*t,paths:Ni,_stroke:null,_fill:null},e.points);s.show=us(s.show),s.filter=us(s.filter),s.fill=us(s.fill),s.stroke=us(s.stroke),s.paths=us(s.paths),s.pxAlign=e.pxAlign}if(q){let s=((e,t)=>{if(0==t&&(V||!I.live||2==i))return As;let s=[],n=kt("tr","u-series",G,G.childNodes[t]);vt(n,e.class),e.show||vt(n,Je);let r=kt("th",null,n);if(W.show){let e=$t("u-marker",r);if(t>0){let s=W.width(a,t);s&&(e.style.border=s+"px "+W.dash(a,t)+" "+W.stroke(a,t)),e.style.background=W.fill(a,t)}}let o=$t(Ze,r);for(var l in e.label instanceof HTMLElement?o.appendChild(e.label):o.textContent=e.label,t>0&&(W.show||(o.style.color=e.width>0?W.stroke(a,t):W.fill(a,t)),te("click",r,t=>{if(R._lock)return;Se(t);let s=v.indexOf(e);if((t.ctrlKey||t.metaKey)!=I.isolate){let e=v.some((e,t)=>t>0&&t!=s&&e.show);v.forEach((t,a)=>{a>0&&ua(a,e?a==s?X:Q:X,!0,bi.setSeries)})}else ua(s,{show:!e.show},!0,bi.setSeries)},!1),Ae&&te(lt,r,t=>{R._lock||(Se(t),ua(v.indexOf(e),za,!0,bi.setSeries))},!1)),H){let e=kt("td","u-value",n);e.textContent="--",s.push(e)}return[n,s]})(e,t);B.splice(t,0,s[0]),K.splice(t,0,s[1]),I.values.push(null)}if(j){U.splice(t,0,null);let s=null;Ee?0==t&&(s=Ne(e,t)):t>0&&(s=Ne(e,t)),Ce.splice(t,0,s),De.splice(t,0,0),Le.splice(t,0,0)}yi("addSeries",t)}a.addSeries=(e,t)=>{t=t??v.length,e=1==i?Oi(e,t,Ua,ei):Oi(e,t,{},Qa),v.splice(t,0,e),Pe(v[t],t)},a.delSeries=e=>{if(v.splice(e,1),q){I.values.splice(e,1),K.splice(e,1);let t=B.splice(e,1)[0];se(null,t.firstChild),t.remove()}j&&(U.splice(e,1),Ce.splice(e,1)[0].remove(),De.splice(e,1),Le.splice(e,1)),yi("delSeries",e)};let Oe=[!1,!1,!1,!1];function Ue(e,t,s,a){let[i,n,r,o]=s,l=t%2,d=0;return 0==l&&(o||n)&&(d=0==t&&!i||2==t&&!r?Qt(Oa.size/3):0),1==l&&(i||r)&&(d=1==t&&!n||3==t&&!o?Qt(Ja.size/2):0),d}let Ie,Re,qe,je,We,Fe,Ye,Ge,He,Be,Ve,at=a.padding=(e.padding||[Ue,Ue,Ue,Ue]).map(e=>us(Gt(e,Ue))),ct=a._padding=at.map((e,t)=>e(a,t,Oe,0)),mt=null,yt=null,xt=1==i?v[0].idxs:null,Tt=null,zt=!1;function At(e,s){if(t=e??[],a.data=a._data=t,2==i){Ie=0;for(let e=1;e<v.length;e++)Ie+=t[e][0].length}else{0==t.length&&(a.data=a._data=t=[[]]),Tt=t[0],Ie=Tt.length;let e=t;if(2==E){e=t.slice();let s=e[0]=Array(Ie);for(let e=0;e<Ie;e++)s[e]=e}a._data=t=e}if($s(!0),yi("setData"),2==E&&(be=!0),!1!==s){let e=A;e.auto(a,zt)?Et():ca($,e.min,e.max),we=we||R.left>=0,$e=!0,Rs()}}function Et(){let e,s;zt=!0,1==i&&(Ie>0?(mt=xt[0]=0,yt=xt[1]=Ie-1,e=t[0][mt],s=t[0][yt],2==E?(e=mt,s=yt):e==s&&(3==E?[e,s]=Rt(e,e,A.log,!1):4==E?[e,s]=qt(e,e,A.log,!1):A.time?s=e+Qt(86400/y):[e,s]=Yt(e,s,.1,!0))):(mt=xt[0]=e=null,yt=xt[1]=s=null)),ca($,e,s)}function Nt(e,t,s,a,i,n){e??=it,s??=Ms,a??="butt",i??=it,n??="round",e!=Re&&(c.strokeStyle=Re=e),i!=qe&&(c.fillStyle=qe=i),t!=je&&(c.lineWidth=je=t),n!=Fe&&(c.lineJoin=Fe=n),a!=Ye&&(c.lineCap=Ye=a),s!=We&&c.setLineDash(We=s)}function Wt(e,t,s,a){t!=qe&&(c.fillStyle=qe=t),e!=Ge&&(c.font=Ge=e),s!=He&&(c.textAlign=He=s),a!=Be&&(c.textBaseline=Be=a)}function Ft(e,t,s,i,n=0){if(i.length>0&&e.auto(a,zt)&&(null==t||null==t.min)){let t=Gt(mt,0),a=Gt(yt,i.length-1),r=null==s.min?((e,t,s,a=0,i=!1)=>{let n=i?It:Ut,r=i?Ot:Pt;[t,s]=n(e,t,s);let o=e[t],l=e[t];if(t>-1)if(1==a)o=e[t],l=e[s];else if(-1==a)o=e[s],l=e[t];else for(let a=t;a<=s;a++){let t=e[a];r(t)&&(t<o?o=t:t>l&&(l=t))}return[o??ls,l??-ls]})(i,t,a,n,3==e.distr):[s.min,s.max];e.min=ts(e.min,s.min=r[0]),e.max=ss(e.max,s.max=r[1])}}a.setData=At;let Ht={min:null,max:null};function Bt(e,t){let s=t?v[e].points:v[e];s._stroke=s.stroke(a,e),s._fill=s.fill(a,e)}function Kt(e,s){let i=s?v[e].points:v[e],{stroke:n,fill:r,clip:o,flags:l,_stroke:d=i._stroke,_fill:h=i._fill,_width:u=i.width}=i._paths;u=xs(u*Ke,3);let p=null,m=u%2/2;s&&null==h&&(h=u>0?"#fff":d);let g=1==i.pxAlign&&m>0;if(g&&c.translate(m,m),!s){let e=pe-u/2,t=me-u/2,s=ge+u,a=fe+u;p=new Path2D,p.rect(e,t,s,a)}s?is(d,u,i.dash,i.cap,h,n,r,l,o):((e,s,i,n,r,o,l,d,h,c,u)=>{let p=!1;0!=h&&k.forEach((m,g)=>{if(m.series[0]==e){let e=v[m.series[1]],f=t[m.series[1]],y=(e._paths||zs).band;Es(y)&&(y=1==m.dir?y[0]:y[1]);let b,w=null;e.show&&y&&((e,t,s)=>{for(t=Gt(t,0),s=Gt(s,e.length-1);t<=s;){if(null!=e[t])return!0;t++}return!1})(f,mt,yt)?(w=m.fill(a,g)||o,b=e._paths.clip):y=null,is(s,i,n,r,w,l,d,h,c,u,b,y),p=!0}}),p||is(s,i,n,r,o,l,d,h,c,u)})(e,d,u,i.dash,i.cap,h,n,r,l,p,o),g&&c.translate(-m,-m)}let Xt=3;function is(e,t,s,a,i,n,r,o,l,d,h,u){Nt(e,t,s,a,i),(l||d||u)&&(c.save(),l&&c.clip(l),d&&c.clip(d)),u?(o&Xt)==Xt?(c.clip(u),h&&c.clip(h),ps(i,r),rs(e,n,t)):2&o?(ps(i,r),c.clip(u),rs(e,n,t)):1&o&&(c.save(),c.clip(u),h&&c.clip(h),ps(i,r),c.restore(),rs(e,n,t)):(ps(i,r),rs(e,n,t)),(l||d||u)&&c.restore()}function rs(e,t,s){s>0&&(t instanceof Map?t.forEach((e,t)=>{c.strokeStyle=Re=t,c.stroke(e)}):null!=t&&e&&c.stroke(t))}function ps(e,t){t instanceof Map?t.forEach((e,t)=>{c.fillStyle=qe=t,c.fill(e)}):null!=t&&e&&c.fill(t)}function vs(e,t,s,a,i,n,r,o,l,d){let h=r%2/2;1==g&&c.translate(h,h),Nt(o,r,l,d,o),c.beginPath();let u,p,m,f,y=i+(0==a||3==a?-n:n);0==s?(p=i,f=y):(u=i,m=y);for(let a=0;a<e.length;a++)null!=t[a]&&(0==s?u=m=e[a]:p=f=e[a],c.moveTo(u,p),c.lineTo(m,f));c.stroke(),1==g&&c.translate(-h,-h)}function bs(e){let t=!0;return b.forEach((s,i)=>{if(!s.show)return;let n=w[s.scale];if(null==n.min)return void(s._show&&(t=!1,s._show=!1,$s(!1)));s._show||(t=!1,s._show=!0,$s(!1));let r=s.side,o=r%2,{min:l,max:d}=n,[h,c]=((e,t,s,i)=>{let n,r=b[e];if(i<=0)n=[0,0];else{let o=r._space=r.space(a,e,t,s,i);n=((e,t,s,a,i)=>{let n=ss(ds(e),ds(t)),r=t-e,o=Lt(i/a*r,s);do{let e=s[o],t=a*e/r;if(t>=i&&n+(e<5?_s.get(e):0)<=17)return[e,t]}while(++o<s.length);return[0,0]})(t,s,r._incrs=r.incrs(a,e,t,s,i,o),i,o)}return r._found=n})(i,l,d,0==o?ne:re);if(0==c)return;let u=2==n.distr,p=s._splits=s.splits(a,i,l,d,h,c,u),m=2==n.distr?p.map(e=>Tt[e]):p,g=2==n.distr?Tt[p[1]]-Tt[p[0]]:h,f=s._values=s.values(a,s.filter(a,m,i,c,g),i,c,g);s._rotate=2==r?s.rotate(a,f,i,c):0;let y=s._size;s._size=es(s.size(a,f,i,e)),null!=y&&s._size!=y&&(t=!1)}),t}function ks(e){let t=!0;return at.forEach((s,i)=>{let n=s(a,i,Oe,e);n!=ct[i]&&(t=!1),ct[i]=n}),t}function $s(e){v.forEach((t,s)=>{s>0&&(t._paths=null,e&&(1==i?(t.min=null,t.max=null):t.facets.forEach(e=>{e.min=null,e.max=null})))})}let Ss=!1,Cs=!1,Ps=[];function Os(){Cs=!1;for(let e=0;e<Ps.length;e++)yi(...Ps[e]);Ps.length=0}function Rs(){Ss||(qs(js),Ss=!0)}function js(){if(ye&&((()=>{for(let e in w){let t=w[e];null==C[e]&&(null==t.min||null!=C[$]&&t.auto(a,zt))&&(C[e]=Ht)}for(let e in w){let t=w[e];null==C[e]&&null!=t.from&&null!=C[t.from]&&(C[e]=Ht)}null!=C[$]&&$s(!0);let e={};for(let t in C){let s=C[t];if(null!=s){let n=e[t]=Us(w[t],Ns);if(null!=s.min)Is(n,s);else if(t!=$||2==i)if(0==Ie&&null==n.from){let e=n.range(a,null,null,t);n.min=e[0],n.max=e[1]}else n.min=ls,n.max=-ls}}if(Ie>0){v.forEach((s,n)=>{if(1==i){let i=s.scale,r=C[i];if(null==r)return;let o=e[i];if(0==n){let e=o.range(a,o.min,o.max,i);o.min=e[0],o.max=e[1],mt=Lt(o.min,t[0]),yt=Lt(o.max,t[0]),yt-mt>1&&(t[0][mt]<o.min&&mt++,t[0][yt]>o.max&&yt--),s.min=Tt[mt],s.max=Tt[yt]}else s.show&&s.auto&&Ft(o,r,s,t[n],s.sorted);s.idxs[0]=mt,s.idxs[1]=yt}else if(n>0&&s.show&&s.auto){let[a,i]=s.facets,r=a.scale,o=i.scale,[l,d]=t[n],h=e[r],c=e[o];null!=h&&Ft(h,C[r],a,l,a.sorted),null!=c&&Ft(c,C[o],i,d,i.sorted),s.min=i.min,s.max=i.max}});for(let t in e){let s=e[t],i=C[t];if(null==s.from&&(null==i||null==i.min)){let e=s.range(a,s.min==ls?null:s.min,s.max==-ls?null:s.max,t);s.min=e[0],s.max=e[1]}}}for(let t in e){let s=e[t];if(null!=s.from){let i=e[s.from];if(null==i.min)s.min=s.max=null;else{let e=s.range(a,i.min,i.max,t);s.min=e[0],s.max=e[1]}}}let s={},n=!1;for(let t in e){let a=e[t],i=w[t];if(i.min!=a.min||i.max!=a.max){i.min=a.min,i.max=a.max;let e=i.distr;i._min=3==e?ns(i.min):4==e?os(i.min,i.asinh):100==e?i.fwd(i.min):i.min,i._max=3==e?ns(i.max):4==e?os(i.max,i.asinh):100==e?i.fwd(i.max):i.max,s[t]=n=!0}}if(n){v.forEach((e,t)=>{2==i?t>0&&s.y&&(e._paths=null):s[e.scale]&&(e._paths=null)});for(let e in s)be=!0,yi("setScale",e);j&&R.left>=0&&(we=$e=!0)}for(let e in C)C[e]=null})(),ye=!1),be&&((()=>{let e=!1,t=0;for(;!e;){t++;let s=bs(t),i=ks(t);e=t==Te||s&&i,e||(_e(a.width,a.height),ve=!0)}})(),be=!1),ve){if(wt(p,tt,oe),wt(p,"top",le),wt(p,Xe,ne),wt(p,Qe,re),wt(m,tt,oe),wt(m,"top",le),wt(m,Xe,ne),wt(m,Qe,re),wt(u,Xe,ae),wt(u,Qe,ie),h.width=Qt(ae*Ke),h.height=Qt(ie*Ke),b.forEach(({_el:e,_show:t,_size:s,_pos:a,side:i})=>{if(null!=e)if(t){let t=i%2==1;wt(e,t?"left":"top",a-(3===i||0===i?s:0)),wt(e,t?"width":"height",s),wt(e,t?"top":"left",t?le:oe),wt(e,t?"height":"width",t?re:ne),bt(e,Je)}else vt(e,Je)}),Re=qe=je=Fe=Ye=Ge=He=Be=We=null,Ve=1,Ya(!0),oe!=de||le!=he||ne!=ce||re!=ue){$s(!1);let e=ne/ce,t=re/ue;if(j&&!we&&R.left>=0){R.left*=e,R.top*=t,Gs&&_t(Gs,Qt(R.left),0,ne,re),Hs&&_t(Hs,0,Qt(R.top),ne,re);for(let s=0;s<Ce.length;s++){let a=Ce[s];null!=a&&(De[s]*=e,Le[s]*=t,_t(a,es(De[s]),es(Le[s]),ne,re))}}if(la.show&&!ke&&la.left>=0&&la.width>0){la.left*=e,la.width*=e,la.top*=t,la.height*=t;for(let e in oi)wt(da,e,la[e])}de=oe,he=le,ce=ne,ue=re}yi("setSize"),ve=!1}ae>0&&ie>0&&(c.clearRect(0,0,h.width,h.height),yi("drawClear"),_.forEach(e=>e()),yi("draw")),la.show&&ke&&(ha(la),ke=!1),j&&we&&(Wa(null,!0,!1),we=!1),I.show&&I.live&&$e&&(Na(),$e=!1),l||(l=!0,a.status=1,yi("ready")),zt=!1,Ss=!1}function Ws(e,s){let i=w[e];if(null==i.from){if(0==Ie){let t=i.range(a,s.min,s.max,e);s.min=t[0],s.max=t[1]}if(s.min>s.max){let e=s.min;s.min=s.max,s.max=e}if(Ie>1&&null!=s.min&&null!=s.max&&s.max-s.min<1e-16)return;e==$&&2==i.distr&&Ie>0&&(s.min=Lt(s.min,t[0]),s.max=Lt(s.max,t[0]),s.min==s.max&&s.max++),C[e]=s,ye=!0,Rs()}}a.batch=(e,t=!1)=>{Ss=!0,Cs=t,e(a),js(),t&&Ps.length>0&&queueMicrotask(Os)},a.redraw=(e,t)=>{be=t||!1,!1!==e?ca($,A.min,A.max):Rs()},a.setScale=Ws;let Fs,Ys,Gs,Hs,Bs,Ks,Js,Zs,Xs,Qs,ea,aa,ia=!1,na=R.drag,ra=na.x,oa=na.y;j&&(R.x&&(Fs=$t("u-cursor-x",m)),R.y&&(Ys=$t("u-cursor-y",m)),0==A.ori?(Gs=Fs,Hs=Ys):(Gs=Ys,Hs=Fs),ea=R.left,aa=R.top);let la=a.select=Is({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),da=la.show?$t("u-select",la.over?m:p):null;function ha(e,t){if(la.show){for(let t in e)la[t]=e[t],t in oi&&wt(da,t,e[t]);!1!==t&&yi("setSelect")}}function ca(e,t,s){Ws(e,{min:t,max:s})}function ua(e,t,s,n){null!=t.focus&&(e=>{if(e!=Sa){let t=null==e,s=1!=Me.alpha;v.forEach((a,n)=>{if(1==i||n>0){let i=t||0==n||n==e;a._focus=t?null:i,s&&((e,t)=>{v[e].alpha=t,j&&null!=Ce[e]&&(Ce[e].style.opacity=t),q&&B[e]&&(B[e].style.opacity=t)})(n,i?1:Me.alpha)}}),Sa=e,s&&Rs()}})(e),null!=t.show&&v.forEach((s,a)=>{a>0&&(e==a||null==e)&&(s.show=t.show,(e=>{if(v[e].show)q&&bt(B[e],Je);else if(q&&vt(B[e],Je),j){let t=Ee?Ce[0]:Ce[e];null!=t&&_t(t,-10,-10,ne,re)}})(a),2==i?(ca(s.facets[0].scale,null,null),ca(s.facets[1].scale,null,null)):ca(s.scale,null,null),Rs())}),!1!==s&&yi("setSeries",e,t),n&&$i("setSeries",a,e,t)}a.setSelect=ha,a.setSeries=ua,a.addBand=(e,t)=>{e.fill=us(e.fill||null),e.dir=Gt(e.dir,-1),t=t??k.length,k.splice(t,0,e)},a.setBand=(e,t)=>{Is(k[e],t)},a.delBand=e=>{null==e?k.length=0:k.splice(e,1)};let pa,$a,Sa,za={focus:!0};function Ma(e,t,s){let a=w[t];s&&(e=e/Ke-(1==a.ori?le:oe));let i=ne;1==a.ori&&(i=re,e=i-e),-1==a.dir&&(e=i-e);let n=a._min,r=n+(a._max-n)*(e/i),o=a.distr;return 3==o?as(10,r):4==o?((e,t=1)=>Vt.sinh(e)*t)(r,a.asinh):100==o?a.bwd(r):r}function Ea(e,t){wt(da,tt,la.left=e),wt(da,Xe,la.width=t)}function Ca(e,t){wt(da,"top",la.top=e),wt(da,Qe,la.height=t)}q&&Ae&&te(dt,F,e=>{R._lock||(Se(e),null!=Sa&&ua(null,za,!0,bi.setSeries))}),a.valToIdx=e=>Lt(e,t[0]),a.posToIdx=(e,s)=>Lt(Ma(e,$,s),t[0],mt,yt),a.posToVal=Ma,a.valToPos=(e,t,s)=>0==w[t].ori?n(e,w[t],s?ge:ne,s?pe:0):r(e,w[t],s?fe:re,s?me:0),a.setCursor=(e,t,s)=>{ea=e.left,aa=e.top,Wa(null,t,s)};let Da=0==A.ori?Ea:Ca,La=1==A.ori?Ea:Ca;function Na(e,t){if(null!=e&&(e.idxs?e.idxs.forEach((e,t)=>{U[t]=e}):(e=>void 0===e)(e.idx)||U.fill(e.idx),I.idx=U[0]),q&&I.live){for(let e=0;e<v.length;e++)(e>0||1==i&&!V)&&Pa(e,U[e]);(()=>{if(q&&I.live)for(let e=2==i?1:0;e<v.length;e++){if(0==e&&V)continue;let t=I.values[e],s=0;for(let a in t)K[e][s++].firstChild.nodeValue=t[a]}})()}$e=!1,!1!==t&&yi("setLegend")}function Pa(e,s){let i,n=v[e],r=0==e&&2==E?Tt:t[e];V?i=n.values(a,e,s)??J:(i=n.value(a,null==s?null:r[s],e,s),i=null==i?J:{_:i}),I.values[e]=i}function Wa(e,s,n){Xs=ea,Qs=aa,[ea,aa]=R.move(a,ea,aa),R.left=ea,R.top=aa,j&&(Gs&&_t(Gs,Qt(ea),0,ne,re),Hs&&_t(Hs,0,Qt(aa),ne,re));let r,o=mt>yt;pa=ls,$a=null;let l=0==A.ori?ne:re,d=1==A.ori?ne:re;if(ea<0||0==Ie||o){r=R.idx=null;for(let e=0;e<v.length;e++){let t=Ce[e];null!=t&&_t(t,-10,-10,ne,re)}Ae&&ua(null,za,!0,null==e&&bi.setSeries),I.live&&(U.fill(r),$e=!0)}else{let e,s,n;1==i&&(e=0==A.ori?ea:aa,s=Ma(e,$),r=R.idx=Lt(s,t[0],mt,yt),n=z(t[0][r],A,l,0));let o=-10,h=-10,c=0,u=0,p=!0,m="",g="";for(let e=2==i?1:0;e<v.length;e++){let f=v[e],y=U[e],b=null==y?null:1==i?t[e][y]:t[e][1][y],k=R.dataIdx(a,e,r,s),$=null==k?null:1==i?t[e][k]:t[e][1][k];if($e=$e||$!=b||k!=y,U[e]=k,e>0&&f.show){let s=null==k?-10:k==r?n:z(1==i?t[0][k]:t[e][0][k],A,l,0),y=null==$?-10:M($,1==i?w[f.scale]:w[f.facets[1].scale],d,0);if(Ae&&null!=$){let t=1==A.ori?ea:aa,s=Zt(Me.dist(a,e,k,y,t));if(s<pa){let a=Me.bias;if(0!=a){let i=Ma(t,f.scale),n=i>=0?1:-1;n==($>=0?1:-1)&&(1==n?1==a?$>=i:$<=i:1==a?$<=i:$>=i)&&(pa=s,$a=e)}else pa=s,$a=e}}if($e||Ee){let t,i;0==A.ori?(t=s,i=y):(t=y,i=s);let n,r,l,d,f,v,b=!0,w=ze.bbox;if(null!=w){b=!1;let t=w(a,e);l=t.left,d=t.top,n=t.width,r=t.height}else l=t,d=i,n=r=ze.size(a,e);if(v=ze.fill(a,e),f=ze.stroke(a,e),Ee)e==$a&&pa<=Me.prox&&(o=l,h=d,c=n,u=r,p=b,m=v,g=f);else{let t=Ce[e];null!=t&&(De[e]=l,Le[e]=d,Mt(t,n,r,b),St(t,v,f),_t(t,es(l),es(d),ne,re))}}}}if(Ee){let e=Me.prox;if($e||(null==Sa?pa<=e:pa>e||$a!=Sa)){let e=Ce[0];null!=e&&(De[0]=o,Le[0]=h,Mt(e,c,u,p),St(e,m,g),_t(e,es(o),es(h),ne,re))}}}if(la.show&&ia)if(null!=e){let[t,s]=bi.scales,[a,i]=bi.match,[n,r]=e.cursor.sync.scales,o=e.cursor.drag;if(ra=o._x,oa=o._y,ra||oa){let o,h,c,u,p,{left:m,top:g,width:f,height:y}=e.select,v=e.scales[n].ori,b=e.posToVal,k=null!=t&&a(t,n),$=null!=s&&i(s,r);k&&ra?(0==v?(o=m,h=f):(o=g,h=y),c=w[t],u=z(b(o,n),c,l,0),p=z(b(o+h,n),c,l,0),Da(ts(u,p),Zt(p-u))):Da(0,l),$&&oa?(1==v?(o=m,h=f):(o=g,h=y),c=w[s],u=M(b(o,r),c,d,0),p=M(b(o+h,r),c,d,0),La(ts(u,p),Zt(p-u))):La(0,d)}else di()}else{let e=Zt(Xs-Bs),t=Zt(Qs-Ks);if(1==A.ori){let s=e;e=t,t=s}ra=na.x&&e>=na.dist,oa=na.y&&t>=na.dist;let s,a,i=na.uni;null!=i?ra&&oa&&(ra=e>=i,oa=t>=i,!ra&&!oa&&(t>e?oa=!0:ra=!0)):na.x&&na.y&&(ra||oa)&&(ra=oa=!0),ra&&(0==A.ori?(s=Js,a=ea):(s=Zs,a=aa),Da(ts(s,a),Zt(a-s)),oa||La(0,d)),oa&&(1==A.ori?(s=Js,a=ea):(s=Zs,a=aa),La(ts(s,a),Zt(a-s)),ra||Da(0,l)),!ra&&!oa&&(Da(0,0),La(0,0))}if(na._x=ra,na._y=oa,null==e){if(n){if(null!=wi){let[e,t]=bi.scales;bi.values[0]=null!=e?Ma(0==A.ori?ea:aa,e):null,bi.values[1]=null!=t?Ma(1==A.ori?ea:aa,t):null}$i(nt,a,ea,aa,ne,re,r)}if(Ae){let e=n&&bi.setSeries,t=Me.prox;null==Sa?pa<=t&&ua($a,za,!0,e):pa>t?ua(null,za,!0,e):$a!=Sa&&ua($a,za,!0,e)}}$e&&(I.idx=r,Na()),!1!==s&&yi("setCursor")}a.setLegend=Na;let Fa=null;function Ya(e=!1){e?Fa=null:(Fa=m.getBoundingClientRect(),yi("syncRect",Fa))}function Ga(e,t,s,a,i,n,r){R._lock||ia&&null!=e&&0==e.movementX&&0==e.movementY||(Ha(e,t,s,a,i,n,0,!1,null!=e),null!=e?Wa(null,!0,!0):Wa(t,!0,!1))}function Ha(e,t,s,i,n,r,l,d,h){if(null==Fa&&Ya(!1),Se(e),null!=e)s=e.clientX-Fa.left,i=e.clientY-Fa.top;else{if(s<0||i<0)return ea=-10,void(aa=-10);let[e,a]=bi.scales,l=t.cursor.sync,[d,h]=l.values,[c,u]=l.scales,[p,m]=bi.match,g=t.axes[0].side%2==1,f=0==A.ori?ne:re,y=1==A.ori?ne:re,v=g?r:n,b=g?n:r,k=g?i:s,$=g?s:i;if(s=null!=c?p(e,c)?o(d,w[e],f,0):-10:f*(k/v),i=null!=u?m(a,u)?o(h,w[a],y,0):-10:y*($/b),1==A.ori){let e=s;s=i,i=e}}h&&(null==t||t.cursor.event.type==nt)&&((s<=1||s>=ne-1)&&(s=ws(s,ne)),(i<=1||i>=re-1)&&(i=ws(i,re))),d?(Bs=s,Ks=i,[Js,Zs]=R.move(a,s,i)):(ea=s,aa=i)}Object.defineProperty(a,"rect",{get:()=>(null==Fa&&Ya(!1),Fa)});let Za,Xa,ii,ri,oi={width:0,height:0,left:0,top:0};function di(){ha(oi,!1)}function hi(e,t,s,i,n,r,o){ia=!0,ra=oa=na._x=na._y=!1,Ha(e,t,s,i,n,r,0,!0,!1),null!=e&&(te(ot,gt,ci,!1),$i(rt,a,Js,Zs,ne,re,null));let{left:l,top:d,width:h,height:c}=la;Za=l,Xa=d,ii=h,ri=c}function ci(e,t,s,i,n,r,o){ia=na._x=na._y=!1,Ha(e,t,s,i,n,r,0,!1,!0);let{left:l,top:d,width:h,height:c}=la,u=h>0||c>0,p=Za!=l||Xa!=d||ii!=h||ri!=c;if(u&&p&&ha(la),na.setScale&&u&&p){let e=l,t=h,s=d,a=c;if(1==A.ori&&(e=d,t=c,s=l,a=h),ra&&ca($,Ma(e,$),Ma(e+t,$)),oa)for(let e in w){let t=w[e];e!=$&&null==t.from&&t.min!=ls&&ca(e,Ma(s+a,e),Ma(s,e))}di()}else R.lock&&(R._lock=!R._lock,Wa(t,!0,null!=e));null!=e&&(se(ot,gt),$i(ot,a,ea,aa,ne,re,null))}function pi(e,t,s,i,n,r,o){R._lock||(Se(e),Et(),di(),null!=e&&$i(ht,a,ea,aa,ne,re,null))}function mi(){b.forEach(Gi),xe(a.width,a.height,!0)}Ct(ut,ft,mi);let gi={};gi.mousedown=hi,gi.mousemove=Ga,gi.mouseup=ci,gi.dblclick=pi,gi.setSeries=(e,t,s,i)=>{-1!=(s=(0,bi.match[2])(a,t,s))&&ua(s,i,!0,!1)},j&&(te(rt,m,hi),te(nt,m,Ga),te(lt,m,e=>{Se(e),Ya(!1)}),te(dt,m,(e,t,s,a,i,n,r)=>{if(R._lock)return;Se(e);let o=ia;if(ia){let e,t,s=!0,a=!0,i=10;0==A.ori?(e=ra,t=oa):(e=oa,t=ra),e&&t&&(s=ea<=i||ea>=ne-i,a=aa<=i||aa>=re-i),e&&s&&(ea=ea<Js?0:ne),t&&a&&(aa=aa<Zs?0:re),Wa(null,!0,!0),ia=!1}ea=-10,aa=-10,U.fill(null),Wa(null,!0,!0),o&&(ia=o)}),te(ht,m,pi),Ci.add(a),a.syncRect=Ya);let fi=a.hooks=e.hooks||{};function yi(e,t,s){Cs?Ps.push([e,t,s]):e in fi&&fi[e].forEach(e=>{e.call(null,a,t,s)})}(e.plugins||[]).forEach(e=>{for(let t in e.hooks)fi[t]=(fi[t]||[]).concat(e.hooks[t])});let vi=(e,t,s)=>s,bi=Is({key:null,setSeries:!1,filters:{pub:fs,sub:fs},scales:[$,v[1]?v[1].scale:null],match:[ys,ys,vi],values:[null,null]},R.sync);2==bi.match.length&&bi.match.push(vi),R.sync=bi;let wi=bi.key,ki=ni(wi);function $i(e,t,s,a,i,n,r){bi.filters.pub(e,t,s,a,i,n,r)&&ki.pub(e,t,s,a,i,n,r)}function xi(){yi("init",e,t),At(t||e.data,!1),C[$]?Ws($,C[$]):Et(),ke=la.show&&(la.width>0||la.height>0),we=$e=!0,xe(e.width,e.height)}return ki.sub(a),a.pub=(e,t,s,a,i,n,r)=>{bi.filters.sub(e,t,s,a,i,n,r)&&gi[e](null,t,s,a,i,n,r)},a.destroy=()=>{ki.unsub(a),Ci.delete(a),ee.clear(),Dt(ut,ft,mi),d.remove(),F?.remove(),yi("destroy")},v.forEach(Pe),b.forEach((e,t)=>{if(e._show=e.show,e.show){let s=e.side%2,i=w[e.scale];null==i&&(e.scale=s?v[1].scale:$,i=w[e.scale]);let n=i.time;e.size=us(e.size),e.space=us(e.space),e.rotate=us(e.rotate),Es(e.incrs)&&e.incrs.forEach(e=>{!_s.has(e)&&_s.set(e,Ts(e))}),e.incrs=us(e.incrs||(2==i.distr?ta:n?1==y?ma:ya:sa)),e.splits=us(e.splits||(n&&1==i.distr?N:3==i.distr?qa:4==i.distr?ja:Ra)),e.stroke=us(e.stroke),e.grid.stroke=us(e.grid.stroke),e.ticks.stroke=us(e.ticks.stroke),e.border.stroke=us(e.border.stroke);let r=e.values;e.values=Es(r)&&!Es(r[0])?us(r):n?Es(r)?ka(D,wa(r,L)):Ds(r)?((e,t)=>{let s=Vs(t);return(t,a,i,n,r)=>a.map(t=>s(e(t)))})(D,r):r||P:r||Ia,e.filter=us(e.filter||(i.distr>=3&&10==i.log?Ba:3==i.distr&&2==i.log?Ka:ms)),e.font=Yi(e.font),e.labelFont=Yi(e.labelFont),e._size=e.size(a,null,t,0),e._space=e._rotate=e._incrs=e._found=e._splits=e._values=null,e._size>0&&(Oe[t]=!0,e._el=$t("u-axis",u))}}),s?s instanceof HTMLElement?(s.appendChild(d),xi()):s(a,xi):xi(),a}Hi.assign=Is,Hi.fmtNum=Kt,Hi.rangeNum=Yt,Hi.rangeLog=Rt,Hi.rangeAsinh=qt,Hi.orient=ri,Hi.pxRatio=Ke,Hi.join=(e,t)=>{if((e=>{let t=e[0][0],s=t.length;for(let a=1;a<e.length;a++){let i=e[a][0];if(i.length!=s)return!1;if(i!=t)for(let e=0;e<s;e++)if(i[e]!=t[e])return!1}return!0})(e)){let t=e[0].slice();for(let s=1;s<e.length;s++)t.push(...e[s].slice(1));return((e,t=100)=>{let s=e.length;if(s<=1)return!0;let a=0,i=s-1;for(;a<=i&&null==e[a];)a++;for(;i>=a&&null==e[i];)i--;if(i<=a)return!0;let n=ss(1,Xt((i-a+1)/t));for(let t=e[a],s=a+n;s<=i;s+=n){let a=e[s];if(null!=a){if(a<=t)return!1;t=a}}return!0})(t[0])||(t=(e=>{let t=e[0],s=t.length,a=Array(s);for(let e=0;e<a.length;e++)a[e]=e;a.sort((e,s)=>t[e]-t[s]);let i=[];for(let t=0;t<e.length;t++){let n=e[t],r=Array(s);for(let e=0;e<s;e++)r[e]=n[a[e]];i.push(r)}return i})(t)),t}let s=new Set;for(let t=0;t<e.length;t++){let a=e[t][0],i=a.length;for(let e=0;e<i;e++)s.add(a[e])}let a=[Array.from(s).sort((e,t)=>e-t)],i=a[0].length,n=new Map;for(let e=0;e<i;e++)n.set(a[0][e],e);for(let s=0;s<e.length;s++){let r=e[s],o=r[0];for(let e=1;e<r.length;e++){let l=r[e],d=Array(i).fill(void 0),h=t?t[s][e]:1,c=[];for(let e=0;e<l.length;e++){let t=l[e],s=n.get(o[e]);null===t?0!=h&&(d[s]=t,2==h&&c.push(s)):d[s]=t}Rs(d,c,i),a.push(d)}}return a},Hi.fmtDate=Vs,Hi.tzDate=(e,t)=>{let s;return"UTC"==t||"Etc/UTC"==t?s=new Date(+e+6e4*e.getTimezoneOffset()):t==Js?s=e:(s=new Date(e.toLocaleString("en-US",{timeZone:t})),s.setMilliseconds(e.getMilliseconds())),s},Hi.sync=ni;{Hi.addGap=(e,t,s)=>{let a=e[e.length-1];a&&a[0]==t?a[1]=s:e.push([t,s])},Hi.clipGaps=hi;let e=Hi.paths={points:_i};e.linear=Mi,e.stepped=e=>{let t=Gt(e.align,1),s=Gt(e.ascDesc,!1),a=Gt(e.alignGaps,0),i=Gt(e.extend,!1);return(e,n,r,o)=>ri(e,n,(l,d,h,c,u,p,m,g,f,y,v)=>{[r,o]=Ut(h,r,o);let b=l.pxRound,{left:w,width:k}=e.bbox,$=e=>b(p(e,c,y,g)),x=e=>b(m(e,u,v,f)),_=0==c.ori?fi:yi,T={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},S=T.stroke,z=c.dir*(0==c.ori?1:-1),M=x(h[1==z?r:o]),A=$(d[1==z?r:o]),E=A,C=A;i&&-1==t&&(C=w,_(S,C,M)),_(S,A,M);for(let e=1==z?r:o;e>=r&&e<=o;e+=z){let s=h[e];if(null==s)continue;let a=$(d[e]),i=x(s);1==t?_(S,a,M):_(S,E,i),_(S,a,i),M=i,E=a}let D=E;i&&1==t&&(D=w+k,_(S,D,M));let[L,N]=oi(e,n);if(null!=l.fill||0!=L){let t=T.fill=new Path2D(S),s=x(l.fillTo(e,n,l.min,l.max,L));_(t,D,s),_(t,C,s)}if(!l.spanGaps){let i=[];i.push(...ci(d,h,r,o,z,$,a));let u=l.width*Ke/2,p=s||1==t?u:-u,m=s||-1==t?-u:u;i.forEach(e=>{e[0]+=p,e[1]+=m}),T.gaps=i=l.gaps(e,n,r,o,i),T.clip=hi(i,c.ori,g,f,y,v)}return 0!=N&&(T.band=2==N?[di(e,n,r,o,S,-1),di(e,n,r,o,S,1)]:di(e,n,r,o,S,N)),T})},e.bars=e=>{let t=Gt((e=e||zs).size,[.6,ls,1]),s=e.align||0,a=e.gap||0,i=e.radius;i=null==i?[0,0]:"number"==typeof i?[i,0]:i;let n=us(i),r=1-t[0],o=Gt(t[1],ls),l=Gt(t[2],1),d=Gt(e.disp,zs),h=Gt(e.each,e=>{}),{fill:c,stroke:u}=d;return(e,t,i,p)=>ri(e,t,(m,g,f,y,v,b,w,k,$,x,_)=>{let T,S,z=m.pxRound,M=s,A=a*Ke,E=o*Ke,C=l*Ke;0==y.ori?[T,S]=n(e,t):[S,T]=n(e,t);let D,L,N,P=y.dir*(0==y.ori?1:-1),O=0==y.ori?vi:bi,U=0==y.ori?h:(e,t,s,a,i,n,r)=>{h(e,t,s,i,a,r,n)},I=Gt(e.bands,Ms).find(e=>e.series[0]==t),R=null!=I?I.dir:0,q=m.fillTo(e,t,m.min,m.max,R),j=z(w(q,v,_,$)),W=x,F=z(m.width*Ke),Y=!1,G=null,H=null,B=null,K=null;null!=c&&(0==F||null!=u)&&(Y=!0,G=c.values(e,t,i,p),H=new Map,new Set(G).forEach(e=>{null!=e&&H.set(e,new Path2D)}),F>0&&(B=u.values(e,t,i,p),K=new Map,new Set(B).forEach(e=>{null!=e&&K.set(e,new Path2D)})));let{x0:V,size:J}=d;if(null!=V&&null!=J){M=1,g=V.values(e,t,i,p),2==V.unit&&(g=g.map(t=>e.posToVal(k+t*x,y.key,!0)));let s=J.values(e,t,i,p);L=2==J.unit?s[0]*x:b(s[0],y,x,k)-b(0,y,x,k),W=Ai(g,f,b,y,x,k,W),N=W-L+A}else W=Ai(g,f,b,y,x,k,W),N=W*r+A,L=W-N;N<1&&(N=0),F>=L/2&&(F=0),N<5&&(z=ps);let Z=N>0;L=z(hs(W-N-(Z?F:0),C,E)),D=(0==M?L/2:M==P?0:L)-M*P*((0==M?A/2:0)+(Z?F/2:0));let X={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Q=Y?null:new Path2D,ee=null;if(null!=I)ee=e.data[I.series[1]];else{let{y0:s,y1:a}=d;null!=s&&null!=a&&(f=a.values(e,t,i,p),ee=s.values(e,t,i,p))}let te=T*L,se=S*L;for(let s=1==P?i:p;s>=i&&s<=p;s+=P){let a=f[s];if(null==a)continue;if(null!=ee){let e=ee[s]??0;if(a-e==0)continue;j=w(e,v,_,$)}let i=b(2!=y.distr||null!=d?g[s]:s,y,x,k),n=w(Gt(a,q),v,_,$),r=z(i-D),o=z(ss(n,j)),l=z(ts(n,j)),h=o-l;if(null!=a){let i=a<0?se:te,n=a<0?te:se;Y?(F>0&&null!=B[s]&&O(K.get(B[s]),r,l+Xt(F/2),L,ss(0,h-F),i,n),null!=G[s]&&O(H.get(G[s]),r,l+Xt(F/2),L,ss(0,h-F),i,n)):O(Q,r,l+Xt(F/2),L,ss(0,h-F),i,n),U(e,t,s,r-F/2,l,L+F,h)}}return F>0?X.stroke=Y?K:Q:Y||(X._fill=0==m.width?m._fill:m._stroke??m._fill,X.width=0),X.fill=Y?H:Q,X})},e.spline=e=>((e,t)=>{let s=Gt(t?.alignGaps,0);return(t,a,i,n)=>ri(t,a,(r,o,l,d,h,c,u,p,m,g,f)=>{[i,n]=Ut(l,i,n);let y,v,b,w=r.pxRound,k=e=>w(c(e,d,g,p)),$=e=>w(u(e,h,f,m));0==d.ori?(y=mi,b=fi,v=$i):(y=gi,b=yi,v=xi);let x=d.dir*(0==d.ori?1:-1),_=k(o[1==x?i:n]),T=_,S=[],z=[];for(let e=1==x?i:n;e>=i&&e<=n;e+=x)if(null!=l[e]){let t=k(o[e]);S.push(T=t),z.push($(l[e]))}let M={stroke:e(S,z,y,b,v,w),fill:null,clip:null,band:null,gaps:null,flags:1},A=M.stroke,[E,C]=oi(t,a);if(null!=r.fill||0!=E){let e=M.fill=new Path2D(A),s=$(r.fillTo(t,a,r.min,r.max,E));b(e,T,s),b(e,_,s)}if(!r.spanGaps){let e=[];e.push(...ci(o,l,i,n,x,k,s)),M.gaps=e=r.gaps(t,a,i,n,e),M.clip=hi(e,d.ori,p,m,g,f)}return 0!=C&&(M.band=2==C?[di(t,a,i,n,A,-1),di(t,a,i,n,A,1)]:di(t,a,i,n,A,C)),M})})(Ei,e)}var Bi=["--aisha-accent","--aisha-good","--aisha-warn","--aisha-danger","--aisha-muted"],Ki=class extends a{constructor(){super(...arguments),this.caption="",this.labels=[],this.series=[],this.format=String,this.theme="",this.observer=new ResizeObserver(()=>this.fit())}disconnectedCallback(){super.disconnectedCallback(),this.observer.disconnect(),this.plot?.destroy(),this.plot=void 0}render(){return t`<div class="plot" aria-hidden="true"></div>
${this.series.length>1?t`<div class="legend" aria-hidden="true">
${this.series.map((e,s)=>t`<span><i class="c${s%Bi.length}"></i>${e.name}</span>`)}
</div>`:""}
<table class="hidden-text">
<caption>
${this.caption}
</caption>
<tr>
<td></td>
${this.series.map(e=>t`<th scope="col">${e.name}</th>`)}
</tr>
${this.labels.map((e,s)=>t`<tr>
<th scope="row">${e}</th>
${this.series.map(e=>t`<td>${this.format(e.values[s]??0)}</td>`)}
</tr>`)}
</table>`}updated(){this.draw()}get box(){return this.renderRoot.querySelector(".plot")}fit(){let e=this.box?.clientWidth??0;e&&this.plot&&this.plot.width!==e&&this.plot.setSize({width:e,height:220})}draw(){this.plot?.destroy();let e=getComputedStyle(this),t=t=>e.getPropertyValue(t).trim(),s={stroke:t("--aisha-muted"),grid:{stroke:t("--aisha-line"),width:1},ticks:{show:!1},font:"12px system-ui, sans-serif"},a=this.series.map((e,t)=>this.labels.map((e,s)=>this.series.slice(0,t+1).reduce((e,t)=>e+(t.values[s]??0),0))),i=this.series.map((e,t)=>t).toReversed(),n=Hi.paths.bars({size:[.6,48],radius:.15});this.plot=new Hi({width:this.box.clientWidth||320,height:220,legend:{show:!1},cursor:{show:!1},select:{show:!1,left:0,top:0,width:0,height:0},scales:{x:{time:!1,range:[-.6,this.labels.length-.4]},y:{range:(e,t,s)=>[0,s>0?1.08*s:1]}},axes:[{...s,size:26,grid:{show:!1},splits:()=>this.labels.map((e,t)=>t),values:e=>this.shortLabels(e.width)},{...s,size:64,values:(e,t)=>t.map(e=>this.format(e))}],series:[{},...i.map(e=>({label:this.series[e].name,fill:t(Bi[e%Bi.length]),stroke:t(Bi[e%Bi.length]),width:0,points:{show:!1},paths:n}))]},[this.labels.map((e,t)=>t),...i.map(e=>a[e])],this.box),this.observer.observe(this.box)}shortLabels(e){let t=Math.max(1,Math.floor((e-64)/Math.max(1,this.labels.length)/6.3)),s=Math.ceil(4/t);return this.labels.map((e,a)=>a%s?"":e.length>t*s?`${e.slice(0,Math.max(1,t*s-1))}…`:e)}};Ki.styles=[m,De,e`.plot{block-size:220px}.uplot,.uplot *,.uplot *:before,.uplot *:after{box-sizing:border-box}.u-wrap{position:relative;user-select:none}.u-over,.u-under{position:absolute}.uplot canvas{display:block;position:relative;inline-size:100%;block-size:100%}.u-axis{position:absolute}.legend{display:flex;flex-wrap:wrap;gap:var(--aisha-3);margin-block-start:var(--aisha-2);color:var(--aisha-muted)}.legend i{display:inline-block;inline-size:10px;block-size:10px;border-radius:3px;margin-inline-end:6px}.c0{background:var(--aisha-accent)}.c1{background:var(--aisha-good)}.c2{background:var(--aisha-warn)}.c3{background:var(--aisha-danger)}.c4{background:var(--aisha-muted)}`],$([i()],Ki.prototype,"caption",2),$([i({attribute:!1})],Ki.prototype,"labels",2),$([i({attribute:!1})],Ki.prototype,"series",2),$([i({attribute:!1})],Ki.prototype,"format",2),$([i()],Ki.prototype,"theme",2),Ki=$([h("desk-chart")],Ki);var Vi=class{constructor(e,t){this.host=e,this.ask=t,this.value=null,this.error="",this.attempt=0,e.addController(this)}hostConnected(){this.load()}async load(){let e=this.attempt+=1;this.error="";try{let t=await this.ask();e===this.attempt&&(this.value=t)}catch(t){e===this.attempt&&(this.error=fe(t))}this.host.requestUpdate()}show(e){return this.error?Oe(this.error,()=>this.load()):null===this.value?Ue:e(this.value)}},Ji=class extends a{constructor(){super(...arguments),this.theme="",this.loader=new Vi(this,()=>d(this.desk.api.rest.GET("/api/ai/analytics")))}render(){return this.loader.show(e=>this.summary(e))}summary(e){if(!e.totalCommands)return Pe("No commands yet. Ask the assistant something.");let a=e.performanceMetrics,i=(e,s)=>t`<div class="card"><strong>${s}</strong><span class="muted">${e}</span></div>`,n=e=>null==e?"—":ge(e),r=e.mostFrequentCommands;return t`<div class="figures">
${i("Commands",oe(e.totalCommands))} ${i("Succeeded",`${oe(e.successRate)}%`)}
${i("Whole command",n(a.avgTotalMs))} ${i("Model",n(a.avgLlmMs))}
${i("Speech to text",n(a.avgSttMs))} ${i("Text to speech",n(a.avgTtsMs))}
</div>
<div class="grid">
<section class="card">
<h2>Most frequent</h2>
<desk-chart
caption="Most frequent commands"
.labels=${r.map(e=>e.commandName)}
.series=${[{name:"Times",values:r.map(e=>e.count)}]}
.format=${oe}
theme=${this.theme}
></desk-chart>
</section>
<section class="card">
<h2>Latest failures</h2>
${e.recentFailures.length?t`<dl class="fields">
${e.recentFailures.map(e=>t`<dt>${e.commandName}<br />${ce(e.timestamp)}</dt>
<dd>${e.errorMessage}</dd>`)}
</dl>`:t`<p class="muted">None of the last ${oe(e.commandsRead)} commands failed.</p>`}
</section>
</div>
${e.truncated?t`<p class="muted">Older commands are left out.</p>`:s}`}};Ji.styles=[m,De,e`.figures{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(140px,1fr));margin-block-end:var(--aisha-4)}.figures strong{display:block;font-size:22px}`],$([i({attribute:!1})],Ji.prototype,"desk",2),$([i()],Ji.prototype,"theme",2),Ji=$([h("desk-analytics")],Ji);var Zi=class extends a{constructor(){super(...arguments),this.isSaving=!1,this.loader=new Vi(this,()=>d(this.desk.api.rest.GET("/api/ai/profile")))}render(){return this.loader.show(e=>this.form(e))}form(e){let s=e.admin;return t`<form @submit=${e=>this.save(e,s.version)}>
<label class="field">
Name
<input name="name" maxlength="60" .value=${e.assistantName} />
</label>
<label class="field">
Persona
<textarea name="persona" maxlength="3010" .value=${s.persona.join("\n")}></textarea>
<span class="muted">Up to ten lines on character and tone, such as “Warm, and never pushy”.</span>
</label>
<fieldset>
<legend>Your words for records</legend>
${ve.map(s=>t`<label class="field"
>${s.one}
<input
name="label.${s.type}"
maxlength="60"
.value=${e.labels[s.type]??""}
placeholder=${s.one}
/>
</label>`)}
</fieldset>
<div class="row">
<button class="button primary" ?disabled=${this.isSaving}>Save</button>
<span class="muted">
Plan ${me(s.plan)}${s.provider?`, models of ${me(s.provider)} alone`:""};
${s.masksContacts?"addresses and numbers are masked for models":"contact data is not masked"}. The
operator sets these.
</span>
</div>
</form>`}async save(e,t){e.preventDefault();let s=new FormData(e.target),a=e=>String(s.get(e)??"").trim(),i=a("persona").split("\n").map(e=>e.trim()),n=ve.map(e=>[e.type,a(`label.${e.type}`)]).filter(([,e])=>e);this.isSaving=!0;try{let e={assistantName:a("name"),persona:i.filter(Boolean),labels:Object.fromEntries(n),version:t};await this.desk.api.rest.PATCH("/api/ai/profile",{body:e}),this.desk.tell("Saved. It holds within a minute; load the page again to see the new words.")}catch(e){this.desk.tell(fe(e),!0)}this.isSaving=!1,await this.loader.load()}};Zi.styles=[m,De,e`form{display:grid;gap:var(--aisha-4);max-inline-size:640px}textarea{min-block-size:120px;resize:vertical}fieldset{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(160px,1fr));margin:0;padding:0;border:0}legend{font-weight:600;margin-block-end:var(--aisha-2)}`],$([i({attribute:!1})],Zi.prototype,"desk",2),$([n()],Zi.prototype,"isSaving",2),Zi=$([h("desk-assistant-profile")],Zi);var Xi=["executed","failed","rejected","pending","not_found","intended","unreadable"],Qi=class extends a{constructor(){super(...arguments),this.filters={},this.log=new Vi(this,()=>this.page()),this.chain=new Vi(this,()=>d(this.desk.api.rest.GET("/api/ai/audit/verification")))}render(){return t`${this.chain.show(e=>t`<section class="card">
<h2>Chain ${Ne(e.isIntact?"intact":"broken",e.isIntact?"good":"bad")}</h2>
<p>
${oe(e.entries)} entries, each with the hash of the one before.
${e.isIntact?"None was changed, moved or removed.":s}
</p>
${e.problems.map(e=>t`<p class="error">${e}</p>`)}
<p class="muted">
Keep the last hash elsewhere to notice a log that was written anew: <code>${e.head.hash}</code>
</p>
</section>`)}
<form @submit=${this.filter}>
<label class="field">Tool <input name="tool" placeholder="update_lead" /></label>
<label class="field">User <input name="user" placeholder="alice" /></label>
<label class="field">Record <input name="entity" placeholder="Name or id" /></label>
<label class="field"
>Status
<select name="status">
<option value="">Any</option>
${Xi.map(e=>t`<option value=${e}>${me(e)}</option>`)}
</select>
</label>
<button class="button primary">Filter</button>
</form>
${this.log.show(e=>this.table(e))}`}table(e){return e.items.length?t`<div class="scroll" tabindex="0" role="region" aria-label="Audit log">
<table>
<thead>
<tr>
${["Time","User","Through","Tool","Status","What it did"].map(e=>t`<th scope="col">${e}</th>`)}
</tr>
</thead>
<tbody>
${e.items.map(e=>t`<tr>
<td>${ce(e.at)}</td>
<td>${me(e.user)}</td>
<td>${e.door}</td>
<td>${e.tool}</td>
<td>
${Ne(e.status)} ${"normal"===e.severity?s:Ne(e.severity,"warn")}
</td>
<td class="name">
${e.line}
<details>
<summary>Arguments and records</summary>
<pre>
${JSON.stringify({arguments:e.arguments,receipts:e.receipts,error:e.error},null,2)}</pre>
</details>
</td>
</tr>`)}
</tbody>
</table>
</div>
${e.nextCursor?t`<button class="button" @click=${()=>this.more(e)}>Show more</button>`:s}`:Pe("No call fits these filters.")}page(e){let t={...this.filters,limit:30,...e?{cursor:e}:{}};return d(this.desk.api.rest.GET("/api/ai/audit",{params:{query:t}}))}async more(e){try{let t=await this.page(e.nextCursor);this.log.value={...t,items:[...e.items,...t.items]},this.requestUpdate()}catch(e){this.desk.tell(fe(e),!0)}}filter(e){e.preventDefault();let t=[...new FormData(e.target)].map(([e,t])=>[e,String(t).trim()]).filter(([,e])=>e);this.filters=Object.fromEntries(t),this.log.load()}};Qi.styles=[m,De,e`form{display:flex;flex-wrap:wrap;gap:var(--aisha-3);align-items:end;margin-block:var(--aisha-4)}pre{padding:var(--aisha-2);background:var(--aisha-sunken);border-radius:var(--aisha-radius-s);max-block-size:320px;overflow:auto}`],$([i({attribute:!1})],Qi.prototype,"desk",2),$([n()],Qi.prototype,"filters",2),Qi=$([h("desk-audit")],Qi);var en=class extends a{constructor(){super(...arguments),this.deleting="",this.loader=new Vi(this,()=>d(this.desk.api.rest.GET("/api/ai/documents")))}render(){return t`<p class="muted head">What the assistant reads when a question is about your own rules and products.</p>
${this.loader.show(e=>this.table(e))}
<form class="card" @submit=${this.add}>
<h2>Add a document</h2>
<label class="field"
>File (Markdown or text) <input type="file" accept=".md,.txt,text/*" @change=${this.read}
/></label>
<label class="field">Title <input name="title" required maxlength="200" /></label>
<label class="field">What it is about <input name="description" required maxlength="300" /></label>
<label class="field">Text <textarea name="text" required></textarea></label>
<div><button class="button primary">Save</button></div>
</form>`}table(e){return e.items.length?t`<div class="scroll" tabindex="0" role="region" aria-label="Documents">
<table>
<thead>
<tr>
<th scope="col">Title</th>
<th scope="col">What it is about</th>
<th scope="col"><span class="hidden-text">Actions</span></th>
</tr>
</thead>
<tbody>
${e.items.map(e=>t`<tr>
<td class="name">${e.title}</td>
<td class="name">${e.description}</td>
<td class="number">${this.actions(e)}</td>
</tr>`)}
</tbody>
</table>
</div>`:Pe("There are no documents yet.")}actions(e){return this.deleting!==e.id?t`<button class="button" @click=${()=>this.deleting=e.id}>
Delete<span class="hidden-text"> ${e.title}</span>
</button>`:t`<span class="row">
<button class="button danger" @click=${()=>this.discard(e)}>Delete for good</button>
<button class="button" @click=${()=>this.deleting=""}>Keep</button>
</span>`}async read(e){let t=e.target.files?.[0];if(!t)return;let s=e.target.form;s.elements.namedItem("text").value=await t.text();let a=s.elements.namedItem("title");a.value||=t.name.replace(/\.\w+$/,"").replace(/[-_]+/g," ")}async add(e){e.preventDefault();let t=e.target,s=new FormData(t),a=e=>String(s.get(e)??""),i=a("title").toLowerCase().replace(/[^a-z0-9]+/g,"-").replace(/^-+|-+$/g,"").slice(0,60)||"document";await this.try(async()=>{let e={title:a("title"),description:a("description"),text:a("text")};await this.desk.api.rest.PUT("/api/ai/documents/{id}",{params:{path:{id:i}},body:e}),t.reset(),this.desk.tell("Saved. The assistant reads it from now on.")})}async discard(e){this.deleting="",await this.try(()=>this.desk.api.rest.DELETE("/api/ai/documents/{id}",{params:{path:{id:e.id}}}))}async try(e){try{await e()}catch(e){this.desk.tell(fe(e),!0)}await this.loader.load()}};en.styles=[m,De,e`form{display:grid;gap:var(--aisha-3);max-inline-size:640px;margin-block-start:var(--aisha-4)}textarea{min-block-size:160px;resize:vertical}`],$([i({attribute:!1})],en.prototype,"desk",2),$([n()],en.prototype,"deleting",2),en=$([h("desk-documents")],en);var tn=class extends a{constructor(){super(...arguments),this.sweep=new Vi(this,()=>d(this.desk.api.rest.GET("/api/ai/sweeps"))),this.health=new Vi(this,()=>d(this.desk.api.rest.GET("/health")))}render(){return t`<div class="head">
<button class="button end" @click=${this.refresh}>Refresh</button>
</div>
<div class="grid">
<section class="card">
<h2>Health</h2>
${this.health.show(e=>t`<dl class="fields">
${e.dependencies.map(e=>t`<dt>${me(e.name)}</dt>
<dd>
${Ne(e.state)}
<span class="muted">${e.detail??""} ${ge(e.durationMs)}</span>
</dd>`)}
</dl>`)}
</section>
<section class="card">
<h2>Last sweep</h2>
${this.sweep.show(e=>this.state(e))}
</section>
</div>`}state(e){return t`<dl class="fields">
<dt>State</dt>
<dd>${Ne(e.status)}</dd>
<dt>Every day</dt>
<dd>
${e.isEnrolled?"Yes":"Not yet: it begins when somebody runs a scan or saves their notification settings"}
</dd>
${e.startedAt?t`<dt>Began</dt>
<dd>${ce(e.startedAt)}</dd>
<dt>Records</dt>
<dd>
${oe(e.recordsExamined??0)} on ${oe(e.pages??0)}
pages${e.truncated?", not all":""}
</dd>`:s}
${e.scans.map(e=>t`<dt>${me(e.scanType)}</dt>
<dd>
${oe(e.findings)} found, ${oe(e.newFindings)} new
${e.failedPages?Ne(`${e.failedPages} pages failed`,"bad"):s}
</dd>`)}
</dl>
<h2>Open jobs</h2>
${e.jobs.length?t`<dl class="fields">
${e.jobs.map(e=>t`<dt>${e.name}</dt>
<dd>${Ne(e.status,"running"===e.status?"accent":"")}</dd>`)}
</dl>`:t`<p class="muted">None.</p>`}`}refresh(){this.sweep.load(),this.health.load()}};tn.styles=[m,De],$([i({attribute:!1})],tn.prototype,"desk",2),tn=$([h("desk-operations")],tn);var sn={none:"Runs when it is ordered",destructive:"Asks before it deletes",always:"Always asks"},an={read:"",write:"accent",delete:"bad",external:"warn"},nn=class extends a{constructor(){super(...arguments),this.loader=new Vi(this,async()=>{let{rest:e}=this.desk.api,[t,s]=await Promise.all([d(e.GET("/api/ai/tools")),d(e.GET("/api/ai/profile"))]);return{tools:t.items,admin:s.admin}})}render(){return t`<p class="muted head">
A rule holds for everyone and only restricts: “ask” makes a tool wait for a yes, “deny” takes it away. Whatever
deletes or leaves the CRM asks in any case.
</p>
${this.loader.show(e=>this.table(e))}`}table({tools:e,admin:s}){let a=new Set(e.map(e=>e.name)),i=Object.keys(s.rules).filter(e=>!a.has(e)),n=e.toSorted((e,t)=>e.toolkit.localeCompare(t.toolkit)||e.name.localeCompare(t.name));return t`<div class="scroll" tabindex="0" role="region" aria-label="Tools">
<table>
<thead>
<tr>
${["Tool","Toolkit","Access","Confirmation","Module","Rule"].map(e=>t`<th scope="col">${e}</th>`)}
</tr>
</thead>
<tbody>
${i.map(e=>t`<tr>
<td class="name"><strong>${e}</strong></td>
<td colspan="4" class="muted">Taken away by its rule</td>
<td>${this.rule(e,s)}</td>
</tr>`)}
${n.map(e=>{return t`<tr>
<td class="name"><strong>${e.name}</strong><br /><span class="muted">${a=e,a.description.split("\n")[0]??""}</span></td>
<td>${me(e.toolkit)}</td>
<td>${Ne(e.access,an[e.access]??"")}</td>
<td>${sn[e.confirmation]??e.confirmation}</td>
<td>${e.module?me(e.module):"—"}</td>
<td>${this.rule(e.name,s)}</td>
</tr>`;var a})}
</tbody>
</table>
</div>`}rule(e,s){let a=s.rules[e]??"";return t`<select
aria-label="Rule for ${e}"
.value=${a}
@change=${t=>this.change(e,t.target.value,s)}
>
${[["","No rule"],["allow","Allow"],["ask","Ask"],["deny","Deny"]].map(([e,s])=>t`<option value=${e} ?selected=${e===a}>${s}</option>`)}
</select>`}async change(e,t,s){let{[e]:a,...i}=s.rules,n=t?{...i,[e]:t}:i;try{await this.desk.api.rest.PATCH("/api/ai/profile",{body:{rules:n,version:s.version}}),this.desk.tell(`The rule for ${e} is saved. It holds within a minute.`)}catch(e){this.desk.tell(fe(e),!0)}await this.loader.load()}};nn.styles=[m,De],$([i({attribute:!1})],nn.prototype,"desk",2),nn=$([h("desk-tools")],nn);var rn=class extends a{constructor(){super(...arguments),this.messageId="",this.loader=new Vi(this,()=>d(this.desk.api.rest.GET("/api/ai/turns/{id}",{params:{path:{id:this.messageId}}})))}willUpdate(e){e.get("messageId")&&this.loader.load()}render(){return t`<p class="head"><a class="link" href="#/console/turns">All turns</a></p>
${this.loader.show(e=>this.turn(e))}`}turn(e){return t`<div class="grid">
<section class="card">
<h2>Turn ${Ne(e.status)}</h2>
<dl class="fields">
<dt>When</dt>
<dd>${ce(e.at)}</dd>
<dt>User</dt>
<dd>${me(e.user)}, through ${e.door}</dd>
<dt>Mode</dt>
<dd>${me(e.mode)}</dd>
<dt>Model</dt>
<dd>${e.provider}: ${e.model} ${e.degraded?Ne("degraded","warn"):s}</dd>
<dt>Model calls</dt>
<dd>${oe(e.iterations)}</dd>
<dt>Tokens</dt>
<dd>${oe(e.inputTokens)} read, ${oe(e.outputTokens)} written</dd>
<dt>Cost</dt>
<dd><strong>${re(e.costUsd)}</strong></dd>
${e.error?t`<dt>Error</dt>
<dd class="error">${e.error}</dd>`:s}
${e.warnings.length?t`<dt>Warnings</dt>
<dd>${e.warnings.join(" ")}</dd>`:s}
${e.asked?t`<dt>Asked about</dt>
<dd>${e.asked}</dd>`:s}
<dt>Ids</dt>
<dd><code>${e.messageId}</code><br /><code>${e.conversationId}</code></dd>
</dl>
</section>
${this.shares("Time by step",e.stepsMs,ge,e.totalMs)}
${this.shares("Prompt by section, in tokens",e.promptTokens,oe)}
<section class="card">
<h2>Tool calls</h2>
${e.calls.length?e.calls.map(e=>t`<div class="call">
<strong>${e.name}</strong> ${Ne(e.status)}
<span class="muted">${ge(e.durationMs)}</span>
<p>${e.error??e.line}</p>
<details>
<summary>Arguments</summary>
<pre>${JSON.stringify(e.arguments,null,2)}</pre>
</details>
</div>`):t`<p class="muted">This turn used no tool.</p>`}
</section>
<p class="muted">
What was said is not shown here: only the user reads their conversations. Records before and after a change are
in the audit log.
</p>
</div>`}shares(e,s,a,i){let n=Object.entries(s).filter(([,e])=>e>0),r=i??n.reduce((e,[,t])=>e+t,0);return t`<section class="card">
<h2>${e} <span class="muted">${a(r)}</span></h2>
${n.length?t`<div class="share">
${n.toSorted((e,t)=>t[1]-e[1]).map(([e,s])=>t`<span>${me(e)}</span>
<progress max=${r||1} value=${s} aria-label=${me(e)}></progress>
<span class="number">${a(s)}</span>`)}
</div>`:t`<p class="muted">None: the offline planner reads no prompt.</p>`}
</section>`}};rn.styles=[m,De,e`.share{display:grid;grid-template-columns:minmax(12ch,22ch) 1fr auto;gap:var(--aisha-2) var(--aisha-3);align-items:center}details{margin-block-start:var(--aisha-1)}.call{padding-block:var(--aisha-3);border-block-end:1px solid var(--aisha-line);overflow-wrap:anywhere}.call:last-child{border:0}pre{padding:var(--aisha-2);background:var(--aisha-sunken);border-radius:var(--aisha-radius-s)}`],$([i({attribute:!1})],rn.prototype,"desk",2),$([i()],rn.prototype,"messageId",2),rn=$([h("desk-turn")],rn);var on=class extends a{constructor(){super(...arguments),this.onlyFailed=!1,this.loader=new Vi(this,()=>this.page())}render(){return t`<div class="head">
<label class="row">
<input
type="checkbox"
.checked=${this.onlyFailed}
@change=${e=>{this.onlyFailed=e.target.checked,this.loader.load()}}
/>
Only failed ones
</label>
<button class="button end" @click=${()=>this.loader.load()}>Refresh</button>
</div>
${this.loader.show(e=>this.table(e))}`}table(e){return e.items.length?t`<div class="scroll" tabindex="0" role="region" aria-label="Turns">
<table>
<thead>
<tr>
${["Time","User","Through","Status","Tools","Model"].map(e=>t`<th scope="col">${e}</th>`)}
<th scope="col" class="number">Took</th>
<th scope="col" class="number">Cost</th>
</tr>
</thead>
<tbody>
${e.items.map(e=>t`<tr>
<td><a class="link" href="#/console/turns/${e.messageId}">${ce(e.at)}</a></td>
<td>${me(e.user)}</td>
<td>${e.door}</td>
<td>${Ne(e.status)}</td>
<td class="name">${e.tools.join(", ")||"—"}</td>
<td>${e.model}</td>
<td class="number">${ge(e.totalMs)}</td>
<td class="number">${re(e.costUsd)}</td>
</tr>`)}
</tbody>
</table>
</div>
${e.nextCursor?t`<button class="button" @click=${()=>this.more(e)}>Show more</button>`:s}`:Pe("No turns yet. Ask the assistant something.")}page(e){let t={limit:25,...this.onlyFailed?{success:!1}:{},...e?{cursor:e}:{}};return d(this.desk.api.rest.GET("/api/ai/turns",{params:{query:t}}))}async more(e){try{let t=await this.page(e.nextCursor);this.loader.value={...t,items:[...e.items,...t.items]},this.requestUpdate()}catch(e){this.desk.tell(fe(e),!0)}}};on.styles=[m,De],$([i({attribute:!1})],on.prototype,"desk",2),$([n()],on.prototype,"onlyFailed",2),on=$([h("desk-turns")],on);var ln=class extends a{constructor(){super(...arguments),this.theme="",this.days=30,this.loader=new Vi(this,()=>d(this.desk.api.rest.GET("/api/ai/usage",{params:{query:{days:this.days}}})))}render(){return t`<div class="head">
<label class="row">
<span class="muted">Time</span>
<select @change=${this.choose}>
${[7,30,90].map(e=>t`<option value=${e} ?selected=${e===this.days}>Last ${e} days</option>`)}
</select>
</label>
</div>
${this.loader.show(e=>this.usage(e))}`}usage(e){let{budget:a}=e,i=a.budgetUsd?a.spentUsd/a.budgetUsd:0,n=this.desk.profile.admin?.limits,r=e.byDay.map(e=>de(e.name));return t`<div class="grid">
<section class="card stack">
<h2>Budget of this month</h2>
<p><strong>${re(a.spentUsd)}</strong> of ${re(a.budgetUsd)} (${Math.round(100*i)}%)</p>
<meter
min="0"
max=${a.budgetUsd||1}
low=${.75*a.budgetUsd}
high=${.9*a.budgetUsd}
optimum="0"
value=${a.spentUsd}
aria-label="Spent of the budget"
></meter>
${n?t`<dl class="fields">
<dt>Plan</dt>
<dd>${me(this.desk.profile.admin.plan)}</dd>
<dt>Requests</dt>
<dd>
${oe(n.userPerMinute)} a minute for each user, ${oe(n.tenantPerHour)} an hour for
all
</dd>
</dl>`:s}
<p class="muted">
When the budget is used up no paid model is asked; the offline planner goes on answering at no cost.
</p>
</section>
<section class="card">
<h2>Turns by day</h2>
${r.length?t`<desk-chart
caption="Turns by day"
.labels=${r}
.series=${[{name:"Answered",values:e.byDay.map(e=>e.turns-e.failed)},{name:"Failed",values:e.byDay.map(e=>e.failed)}]}
.format=${oe}
theme=${this.theme}
></desk-chart>`:t`<p class="muted">No turns yet.</p>`}
</section>
${this.table("By user",e.byUser,me)} ${this.table("By model",e.byModel,String)}
</div>
${e.truncated?t`<p class="muted">Only the newest 2,000 turns and commands are counted.</p>`:s}`}table(e,s,a){return t`<section class="card">
<h2>${e}</h2>
<div class="scroll" tabindex="0" role="region" aria-label=${e}>
<table>
<thead>
<tr>
<th scope="col">${e.replace("By ","").replace(/^./,e=>e.toUpperCase())}</th>
<th scope="col" class="number">Turns</th>
<th scope="col" class="number">Failed</th>
<th scope="col" class="number">Tokens</th>
<th scope="col" class="number">Cost</th>
</tr>
</thead>
<tbody>
${s.map(e=>t`<tr>
<td class="name">${a(e.name)}</td>
<td class="number">${oe(e.turns)}</td>
<td class="number">${oe(e.failed)}</td>
<td class="number">${oe(e.inputTokens+e.outputTokens)}</td>
<td class="number">${re(e.costUsd)}</td>
</tr>`)}
</tbody>
</table>
</div>
</section>`}choose(e){this.days=Number(e.target.value),this.loader.load()}};ln.styles=[m,De,e`meter{inline-size:100%;block-size:14px}.stack{display:grid;gap:var(--aisha-3)}`],$([i({attribute:!1})],ln.prototype,"desk",2),$([i()],ln.prototype,"theme",2),$([n()],ln.prototype,"days",2),ln=$([h("desk-usage")],ln);var dn={"":"Usage",turns:"Turns",analytics:"Analytics",audit:"Audit log",tools:"Tools and rules",assistant:"Assistant",documents:"Documents",operations:"Sweeps and health"},hn=class extends a{constructor(){super(...arguments),this.path="",this.theme=""}render(){let[e=""]=this.path.split("/");return t`<div class="head"><h1>Console</h1></div>
<nav class="tabs head" aria-label="Console">
${Object.entries(dn).map(([a,i])=>t`<a href="#/console${a?`/${a}`:""}" aria-current=${a===e?"page":s}
>${i}</a
>`)}
</nav>
${this.view()}`}view(){let{desk:e,theme:s}=this,[a="",i=""]=this.path.split("/");switch(a){case"turns":return i?t`<desk-turn .desk=${e} messageId=${i}></desk-turn>`:t`<desk-turns .desk=${e}></desk-turns>`;case"analytics":return t`<desk-analytics .desk=${e} theme=${s}></desk-analytics>`;case"audit":return t`<desk-audit .desk=${e}></desk-audit>`;case"tools":return t`<desk-tools .desk=${e}></desk-tools>`;case"assistant":return t`<desk-assistant-profile .desk=${e}></desk-assistant-profile>`;case"documents":return t`<desk-documents .desk=${e}></desk-documents>`;case"operations":return t`<desk-operations .desk=${e}></desk-operations>`;default:return t`<desk-usage .desk=${e} theme=${s}></desk-usage>`}}};hn.styles=[m,De],$([i({attribute:!1})],hn.prototype,"desk",2),$([i()],hn.prototype,"path",2),$([i()],hn.prototype,"theme",2),hn=$([h("desk-console")],hn);var cn=class extends a{constructor(){super(...arguments),this.theme="",this.nextStep=null,this.briefing=null,this.busy=""}firstUpdated(){let e=e=>this.desk.profile.modules.includes(e);e("opportunities")&&(this.deals=new ye(this,"opportunity",!0)),e("activities")&&(this.activities=new ye(this,"activity",!0)),e("goals")&&(this.goals=new ye(this,"goal",!0));for(let e of[this.deals,this.activities,this.goals])e?.load();this.brief(),this.recommend()}render(){let e=(new Date).getHours(),a=e<12?"Good morning":e<18?"Good afternoon":"Good evening",i=this.desk.profile.name?.split(" ")[0];return t`<div class="head"><h1>${a}${i?`, ${i}`:""}</h1></div>
<div class="figures">${this.figures()}</div>
<div class="grid">
${this.deals?this.pipeline(this.deals.items):s} ${this.next()}
${this.goals?this.goalList():s} ${this.changes()} ${this.briefed()}
</div>`}figures(){let e=(this.deals?.items??[]).filter(e=>un(e)),s=e.map(e=>({...e,amount:Number(e.amount??0)*Number(e.probability??0)/100})),a=(this.activities?.items??[]).filter(e=>"scheduled"===e.status).map(e=>le(e.due_at)).filter(e=>null!==e),i=a.filter(e=>e.getTime()<Date.now()).length,n=a.filter(e=>0===ue(e)&&e.getTime()>=Date.now()).length,r=(e,s,a)=>t`<div class="card figure"><strong>${s}</strong><a class="link" href=${a}>${e}</a></div>`;return[...this.deals?[r("Open pipeline",this.deals.isLoading?"…":He(e),"#/opportunities"),r("Weighted",this.deals.isLoading?"…":He(s),"#/opportunities"),r("Open deals",this.deals.isLoading?"…":e.length,"#/opportunities")]:[],...this.activities?[r("Still due today",this.activities.isLoading?"…":n,"#/activities"),r("Overdue",this.activities.isLoading?"…":i,"#/activities")]:[]]}pipeline(e){let a=e.filter(t=>un(t)&&(t.currency??"USD")===pn(e)),i=new Map;for(let e of a){let t=String(e.owner??"Nobody");i.set(t,(i.get(t)??0)+Number(e.amount??0))}let n=[...i].sort((e,t)=>t[1]-e[1]).map(([e])=>e),r=n.slice(0,4),o=(e,t)=>a.filter(s=>s.stage===e&&t(String(s.owner??"Nobody"))).reduce((e,t)=>e+Number(t.amount??0),0),l=r.map(e=>({name:me(e),values:we.map(t=>o(t,t=>t===e))}));if(n.length>r.length){let e=e=>!r.includes(e);l.push({name:"Others",values:we.map(t=>o(t,e))})}let d=pn(e),h=new Set(e.map(e=>e.currency??"USD")).size>1;return t`<section class="card">
<h2>Pipeline by stage and owner${h?t` <span class="muted">in ${d}</span>`:s}</h2>
${a.length?t`<desk-chart
caption="Open pipeline by stage and owner"
.labels=${we.map(e=>me(e))}
.series=${l}
.format=${e=>ne(e,d,!0)}
theme=${this.theme}
></desk-chart>`:t`<p class="muted">${this.deals.isLoading?"Loading…":"No open deals."}</p>`}
</section>`}goalList(){let e=this.goals;return t`<section class="card">
<h2>Goals</h2>
${e.items.length?t`<ul>
${e.items.map(e=>{let s=Number(e.progress??0);return t`<li>
<div class="row">
<strong>${e.display_name}</strong><span class="muted">${e.period??""}</span>
<span class="end">${s}%</span>
</div>
<progress max="100" value=${s} aria-label=${e.display_name}></progress>
</li>`})}
</ul>`:t`<p class="muted">${e.isLoading?"Loading…":"No goals are set."}</p>`}
</section>`}changes(){let e=this.desk.feed.recent.slice(0,6);return t`<section class="card">
<h2>Latest changes</h2>
${e.length?t`<ul>
${e.map(e=>t`<li>
${e.isOwn?"You":e.user} ${Me(e)}
<span class="muted">${pe(e.at)}, ${he(e.at)}</span>
</li>`)}
</ul>`:t`<p class="muted">What the assistant changes shows here at once, with who asked for it.</p>`}
</section>`}next(){let e=this.nextStep,a=e?.scanType;return t`<section class="card stack">
<h2>Next step</h2>
${e?t`<p>${e.response||e.reason}</p>
${a?t`<div>
<button class="button primary" ?disabled=${""!==this.busy} @click=${()=>this.run(a)}>
${this.busy===a?"Scanning…":`Run the scan “${me(a)}”`}
</button>
</div>`:s}
<dl class="fields">
${Object.entries(e.statistics??{}).map(([e,s])=>t`<dt>${me(e.replace(/([A-Z])/g," $1").toLowerCase())}</dt>
<dd>${s}</dd>`)}
</dl>`:t`<p class="muted">
${"failed"===this.busy?"No recommendation right now.":"Looking at your pipeline…"}
</p>`}
</section>`}briefed(){return t`<section class="card stack">
<h2>Briefing</h2>
<p>${this.briefing?.text??"…"}</p>
</section>`}async brief(){let e={variant:"full",timeframeHours:24};try{this.briefing=await d(this.desk.api.rest.GET("/api/ai/scan-briefing",{params:{query:e}}))}catch(e){this.briefing={success:!1,text:fe(e),data:null}}}async recommend(){try{this.nextStep=await d(this.desk.api.rest.POST("/api/ai/next-step",{body:{}}))}catch{this.busy="failed"}}async run(e){this.busy=e;try{await this.desk.api.rest.POST("/api/ai/scans",{params:{header:{"Idempotency-Key":crypto.randomUUID()}},body:{scanType:e}}),await Promise.all([this.brief(),this.recommend()]),this.desk.tell("The scan is done: see the briefing.")}catch(e){this.desk.tell(fe(e),!0)}this.busy=""}};function un(e){return!String(e.stage).startsWith("closed")}function pn(e){let t=new Map;for(let s of e){let e=String(s.currency??"USD");t.set(e,(t.get(e)??0)+1)}return[...t].sort((e,t)=>t[1]-e[1])[0]?.[0]??"USD"}cn.styles=[m,De,e`.figures{display:grid;gap:var(--aisha-3);grid-template-columns:repeat(auto-fit,minmax(140px,1fr));margin-block-end:var(--aisha-4)}.figure strong{display:block;font-size:22px;letter-spacing:-.02em;font-variant-numeric:tabular-nums}.grid{grid-template-columns:repeat(auto-fit,minmax(min(100%,360px),1fr))}ul{display:grid;gap:var(--aisha-3);margin:0;padding:0;list-style:none}li{overflow-wrap:anywhere}.stack{display:grid;gap:var(--aisha-3)}.stack h2{margin:0}`],$([i({attribute:!1})],cn.prototype,"desk",2),$([i()],cn.prototype,"theme",2),$([n()],cn.prototype,"nextStep",2),$([n()],cn.prototype,"briefing",2),$([n()],cn.prototype,"busy",2),cn=$([h("desk-dashboard")],cn);var mn=class extends EventTarget{constructor(e){super(),this.api=e,this.recent=[],this.isLost=!1,this.marked=new Map,this.next=null,this.failures=0,this.isPolling=!1,this.isAsked=!1,this.isStopped=!0,this.poke=()=>{this.isPolling?this.isAsked=!0:this.isStopped||this.poll()}}start(){this.isStopped=!1,document.addEventListener("visibilitychange",this.poke),addEventListener("online",this.poke),this.poll()}stop(){this.isStopped=!0,clearTimeout(this.timer),document.removeEventListener("visibilitychange",this.poke),removeEventListener("online",this.poke)}markOf(e){return this.marked.get(e)}async poll(){clearTimeout(this.timer),this.isPolling=!0;let e=!1;try{let t=null===this.next?{}:{since:this.next},s=await d(this.api.rest.GET("/api/crm/changes",{params:{query:t}})),a=null===this.next;this.next=s.next,e=s.hasMore,this.recent=[...s.items.toReversed(),...this.recent].slice(0,50),this.setLost(0),!a&&s.items.length?this.publish(s.items):a&&this.dispatchEvent(new CustomEvent("changes",{detail:[]}))}catch{this.setLost(this.failures+1)}if(this.isPolling=!1,this.isStopped)return;let t=e||this.isAsked;this.isAsked=!1,this.timer=setTimeout(()=>{this.poll()},t?0:this.waitMs())}publish(e){for(let t of e)this.marked.set(t.entity.id,t),setTimeout(()=>{this.marked.get(t.entity.id)===t&&(this.marked.delete(t.entity.id),this.dispatchEvent(new Event("marks")))},12e3);this.dispatchEvent(new CustomEvent("changes",{detail:e}))}setLost(e){this.failures=e;let t=e>1;t!==this.isLost&&(this.isLost=t,this.dispatchEvent(new Event("state")))}waitMs(){let e=document.hidden?3e4:2500;return Math.min(e*2**Math.min(this.failures,5),Math.max(6e4,e))}},gn=new Set(["id","entity_type","display_name","version","custom","first_name","last_name","name"]),fn=class extends a{constructor(){super(...arguments),this.recordId="",this.record=null,this.error="",this.take=e=>{let t=e.detail.findLast(e=>e.entity.id===this.recordId);t&&(t.record?this.record=t.record:this.error=`${t.entity.name} was deleted by ${t.isOwn?"you":t.user}.`)}}disconnectedCallback(){super.disconnectedCallback(),this.desk.feed.removeEventListener("changes",this.take)}willUpdate(e){e.has("recordId")&&this.load()}render(){if(this.error)return Oe(this.error,()=>this.load());let e=this.record;if(!e)return Ue;let a=this.desk.feed.markOf(e.id);return t`<div class="head">
<a class="link" href="#/${this.kind.page}">${_e(this.kind,this.desk.profile.labels,!0)}</a>
<span class="muted" aria-hidden="true">/</span>
<h1 dir="auto">${e.display_name}</h1>
${Ne(e.stage??e.status??e.health)}
${a?t`<span class="badge accent">${a.isOwn?"You":a.user} ${Me(a)}</span>`:s}
</div>
<div class="row asks">${this.asks(e)}</div>
<div class="columns">
<section class="card ${a?"marked":""}">
<h2>Details</h2>
<dl class="fields">
${this.fields(e).map(s=>t`<dt>${me(Te(s))}</dt>
<dd dir="auto">${this.value(e,s)}</dd>`)}
</dl>
</section>
${"note"===this.kind.type||"activity"===this.kind.type?s:t`<div class="stack">
<section class="card">
<h2>Activities</h2>
${this.related(this.activities,"No activities yet.")}
</section>
<section class="card">
<h2>Notes</h2>
${this.related(this.notes,"No notes yet.")}
</section>
</div>`}
</div>`}fields(e){return Object.keys(e).filter(t=>{let s=e[t],a=null===s||""===s||Array.isArray(s)&&!s.length;return!(gn.has(t)||a||t.endsWith("_id")||t.startsWith("do_not"))})}value(e,s){let a=e[s];if("related"===s&&a?.id){let e={lead:"leads",contact:"contacts",account:"accounts",opportunity:"opportunities"}[a.type??""];return e?t`<a class="link" href="#/${e}/${a.id}">${a.name}</a>`:a.name}return Se(e,s)}asks(e){let s=((e,t)=>{let s=t.display_name;switch(e){case"activity":return"scheduled"===t.status?[`Mark the activity “${s}” as completed`]:[];case"lead":case"contact":case"account":case"opportunity":return[`What should I do next with ${s}?`,`Give me a summary of ${s}`,`Schedule a call with ${s} tomorrow at 10`];default:return[]}})(this.kind.type,e).map(e=>t`<button class="button" @click=${()=>this.desk.ask(e)}>${e}</button>`);return"opportunity"!==this.kind.type?s:[t`<label class="row">
<span class="muted">Move to</span>
<select
.value=${String(e.stage)}
@change=${t=>this.move(t.target,e)}
>
${be.map(s=>t`<option value=${s} ?selected=${s===e.stage}>${me(s)}</option>`)}
</select>
</label>`,...s]}move(e,t){this.desk.ask(Ce(e.value,t)),e.value=String(t.stage)}related(e,a){return!e||e.isLoading?t`<p class="muted">Loading…</p>`:e.error?t`<p class="error">${e.error}</p>`:e.items.length?t`<ul>
${e.items.map(e=>t`<li class=${this.desk.feed.markOf(e.id)?"marked":""}>
<div dir="auto">${e.content??e.display_name}</div>
<span class="muted">
${e.due_at?ce(e.due_at):ce(e.created_at)}
${e.owner?`· ${me(String(e.owner))}`:s}
</span>
${Ne(e.status??e.note_type)}
</li>`)}
</ul>`:t`<p class="muted">${a}</p>`}async load(){this.record=null,this.error="",this.desk.feed.addEventListener("changes",this.take);let e=this.recordId;try{let t={type:this.kind.type,id:e},s=await d(this.desk.api.rest.GET("/api/crm/{type}/{id}",{params:{path:t}}));if(e!==this.recordId)return;this.record=s}catch(e){return void(this.error=fe(e))}"note"===this.kind.type||"activity"===this.kind.type||(this.activities??=new ye(this,"activity"),this.notes??=new ye(this,"note"),this.activities.load({related_id:e}),this.notes.load({related_id:e}))}};fn.styles=[m,De,e`.columns{display:grid;gap:var(--aisha-4);grid-template-columns:repeat(auto-fit,minmax(min(100%,300px),1fr));align-items:start}ul{display:grid;gap:var(--aisha-3);margin:0;padding:0;list-style:none}li{overflow-wrap:anywhere}.asks{margin-block-end:var(--aisha-4)}.stack{display:grid;gap:var(--aisha-4)}`],$([i({attribute:!1})],fn.prototype,"desk",2),$([i({attribute:!1})],fn.prototype,"kind",2),$([i()],fn.prototype,"recordId",2),$([n()],fn.prototype,"record",2),$([n()],fn.prototype,"error",2),fn=$([h("desk-record")],fn);var yn=class extends a{constructor(){super(...arguments),this.loaded=null,this.error="",this.add=async e=>{e.preventDefault();let t=e.target,s=String(new FormData(t).get("text")??"").trim();s&&await this.try(()=>this.desk.api.rest.POST("/api/ai/instructions",{body:{text:s}}))&&t.reset()}}firstUpdated(){this.load()}render(){if(this.error)return Oe(this.error,()=>this.load());let e=this.loaded;return e?t`<div class="head"><h1>Settings</h1></div>
<div class="grid">
<section class="card">
<h2 id="mode">How it answers</h2>
<fieldset aria-labelledby="mode">
${Object.entries(e.modes).map(([s,a])=>t`<label>
<input
type="radio"
name="mode"
.checked=${s===e.mode}
@change=${()=>this.setMode(s)}
/>
<strong>${me(s)}</strong><span class="muted">${a}</span>
</label>`)}
</fieldset>
</section>
<section class="card">${this.instructions(e)}</section>
<section class="card stack">${this.notifications(e.settings)}</section>
<section class="card">
<h2>Due and coming up</h2>
${e.coming.length?t`<ul>
${e.coming.map(e=>t`<li>
<span>${e.title}</span><span class="muted">${e.dueAt?ce(e.dueAt):""}</span>
</li>`)}
</ul>`:t`<p class="muted">Nothing is due. Ask the assistant to remind you of something.</p>`}
</section>
<section class="card stack">
<h2>What it remembers for you</h2>
<p class="muted">Facts and reminders are kept in the conversation: ask for them, or tell it to forget one.</p>
<div class="row">
${Ee.map(e=>t`<button class="button" @click=${()=>this.desk.ask(e)}>${e}</button>`)}
</div>
</section>
</div>`:Ue}instructions(e){return t`<h2>Standing instructions</h2>
${e.instructions.length?t`<ul>
${e.instructions.map(e=>t`<li>
<span dir="auto">${e.text}</span>
<button class="button" aria-label="Delete: ${e.text}" @click=${()=>this.discard(e.id)}>
Delete
</button>
</li>`)}
</ul>`:t`<p class="muted">Say once what it should always keep to, such as “Give amounts in euros”.</p>
<br />`}
<form @submit=${this.add}>
<input
name="text"
required
maxlength=${300}
aria-label="New instruction"
placeholder="New instruction"
/>
<button class="button primary">Add</button>
</form>`}notifications(e){let a=t=>{this.save({...e,...t})};return t`<h2>Notifications</h2>
<label class="field"
>Also sent by
<select
.value=${e.channel}
@change=${e=>a({channel:e.target.value})}
>
<option value="in_app" ?selected=${"in_app"===e.channel}>Nothing else: in the app alone</option>
<option value="email" ?selected=${"email"===e.channel}>Email</option>
</select>
</label>
<label class="row">
<input
type="checkbox"
.checked=${e.digest??!1}
@change=${e=>a({digest:e.target.checked})}
/>
A digest every day
</label>
<label class="field"
>At
<select
.value=${String(e.digestHour)}
?disabled=${!e.digest}
@change=${e=>a({digestHour:Number(e.target.value)})}
>
${Array.from({length:24},(s,a)=>{let i=`${String(a).padStart(2,"0")}:00`;return t`<option value=${a} ?selected=${a===e.digestHour}>${i}</option>`})}
</select>
<span class="muted">${e.zone??s}</span>
</label>`}async load(){this.error="";let{rest:e}=this.desk.api;try{let[t,s,a,i,n]=await Promise.all([d(e.GET("/api/ai/mode")),d(e.GET("/api/ai/models")),d(e.GET("/api/ai/instructions")),d(e.GET("/api/ai/notifications/settings")),d(e.GET("/api/ai/notifications",{params:{query:{includeComing:!0}}}))]);this.loaded={mode:t.mode,modes:s.modes,instructions:a.items,settings:i,coming:n.notifications}}catch(e){this.error=fe(e)}}async setMode(e){await this.try(()=>this.desk.api.rest.POST("/api/ai/mode/{mode}",{params:{path:{mode:e}}}))}async discard(e){await this.try(()=>this.desk.api.rest.DELETE("/api/ai/instructions/{id}",{params:{path:{id:e}}}))}async save(e){let{channel:t,digest:s,digestHour:a}=e;await this.try(()=>this.desk.api.rest.POST("/api/ai/notifications/settings",{body:{channel:t,digest:s,digestHour:a}}))}async try(e){try{return await e(),this.desk.tell("Saved."),!0}catch(e){return this.desk.tell(fe(e),!0),!1}finally{await this.load()}}};yn.styles=[m,De,e`ul{display:grid;gap:var(--aisha-2);margin:0 0 var(--aisha-3);padding:0;list-style:none}li{display:flex;align-items:center;justify-content:space-between;gap:var(--aisha-3);overflow-wrap:anywhere}.stack{display:grid;gap:var(--aisha-3)}fieldset{display:grid;gap:var(--aisha-3);border:0;margin:0;padding:0}fieldset label{display:grid;grid-template-columns:auto 1fr;gap:2px var(--aisha-2);align-items:center}fieldset .muted{grid-column:2}input[type=radio],input[type=checkbox]{min-block-size:0;inline-size:18px;block-size:18px;accent-color:var(--aisha-accent-fill)}form{display:flex;gap:var(--aisha-2)}form input{flex:1;min-inline-size:0}`],$([i({attribute:!1})],yn.prototype,"desk",2),$([n()],yn.prototype,"loaded",2),$([n()],yn.prototype,"error",2),yn=$([h("desk-settings")],yn);var vn={title:"Owner",cell:e=>e.owner?me(String(e.owner)):"—"},bn={lead:[{title:"Company",cell:e=>e.company??"—"},{title:"Status",cell:e=>Ne(e.status)},{title:"Score",cell:e=>e.score??"—",isNumber:!0},{title:"Value",cell:e=>ne(e.estimated_value??NaN),isNumber:!0},{title:"Last contact",cell:e=>pe(e.last_contacted_at)},vn],contact:[{title:"Company",cell:e=>e.company??"—"},{title:"Job title",cell:e=>e.job_title??"—"},{title:"Email",cell:e=>e.email??"—"},{title:"Last contact",cell:e=>pe(e.last_contacted_at)},vn],account:[{title:"Industry",cell:e=>e.industry??"—"},{title:"Type",cell:e=>Ne(e.type)},{title:"Health",cell:e=>Ne(e.health)},{title:"Revenue",cell:e=>ne(e.annual_revenue??NaN,"USD",!0),isNumber:!0},vn],note:[{title:"About",cell:e=>e.related?.name??"—"},{title:"Type",cell:e=>Ne(e.note_type)},{title:"Written",cell:e=>pe(e.created_at)},vn]},wn=class extends a{constructor(){super(...arguments),this.search="",this.status=""}willUpdate(e){e.has("kind")&&(this.list?.hostDisconnected(),this.list=new ye(this,this.kind.type),[this.search,this.status]=["",""],this.list.load())}render(){let e=this.list,a=_e(this.kind,this.desk.profile.labels,!0);return t`<div class="head">
<h1>${a}</h1>
<span class="muted">${e.total??""}</span>
<search class="row end">
${"lead"===this.kind.type?this.statuses():s}
<input
type="search"
placeholder="Search by name"
aria-label="Search ${a.toLowerCase()}"
.value=${this.search}
@input=${e=>this.find(e.target.value)}
/>
</search>
</div>
${this.content(e,a)}`}content(e,a){if(e.error)return Oe(e.error,()=>this.load());if(e.isLoading&&!e.items.length)return Ue;if(!e.items.length)return Pe(this.search||this.status?"Nothing fits this search.":`There are no ${a.toLowerCase()} yet.`);let i=bn[this.kind.type]??[vn];return t`<div class="scroll" tabindex="0" role="region" aria-label=${a}>
<table>
<thead>
<tr>
<th scope="col">Name</th>
${i.map(e=>t`<th scope="col" class=${e.isNumber?"number":""}>${e.title}</th>`)}
</tr>
</thead>
<tbody>
${e.items.map(e=>this.row(e,i))}
</tbody>
</table>
</div>
${e.next?t`<p class="head"></p>
<button class="button" ?disabled=${e.isLoading} @click=${()=>e.more()}>Show more</button>`:s}`}row(e,a){let i=this.desk.feed.markOf(e.id);return t`<tr class=${i?"marked":""}>
<td class="name">
<a class="link" dir="auto" href="#/${this.kind.page}/${e.id}">${e.display_name}</a>
${i?t` <span class="badge accent">${i.action} by ${i.isOwn?"you":i.user}</span>`:s}
</td>
${a.map(s=>t`<td class=${s.isNumber?"number":""} dir="auto">${s.cell(e)}</td>`)}
</tr>`}statuses(){return t`<select
aria-label="Status"
.value=${this.status}
@change=${e=>{this.status=e.target.value,this.load()}}
>
<option value="">Any status</option>
${ke.map(e=>t`<option value=${e}>${me(e)}</option>`)}
</select>`}find(e){this.search=e,clearTimeout(this.timer),this.timer=setTimeout(()=>{this.load()},250)}load(){return this.list.load({...this.search.trim()?{name_contains:this.search.trim()}:{},...this.status?{status:this.status}:{}})}};wn.styles=[m,De],$([i({attribute:!1})],wn.prototype,"desk",2),$([i({attribute:!1})],wn.prototype,"kind",2),$([n()],wn.prototype,"search",2),$([n()],wn.prototype,"status",2),wn=$([h("desk-table")],wn);var kn=matchMedia("(max-width: 1100px)"),$n=["alice","bob"],xn="aisha.desk.theme",_n="aisha.desk.user",Tn={dashboard:"",pipeline:"opportunities",goals:"",documents:"console/documents"},Sn=class extends a{constructor(){super(...arguments),this.api="",this.token=null,this.desk=null,this.error="",this.path="",this.user=localStorage.getItem(_n)??$n[0],this.theme=localStorage.getItem(xn)??"midnight",this.told=null,this.source=e=>this.token?this.token(e):this.localToken(),this.follow=()=>{let e=decodeURIComponent(location.hash.replace(/^#\/?/,""));e!==this.path&&(this.path=e,this.main?.scrollTo(0,0))},this.navigate=e=>{let{page:t,record:s}=e.detail,a=s?$e(s.type):void 0;s&&a?this.go(`${a.page}/${s.id}`):t&&this.go(Tn[t]??t)}}connectedCallback(){super.connectedCallback(),addEventListener("hashchange",this.follow),this.follow(),this.start()}disconnectedCallback(){super.disconnectedCallback(),removeEventListener("hashchange",this.follow),this.desk?.feed.stop()}willUpdate(e){e.has("theme")&&(this.dataset.theme=this.theme)}render(){return t`${this.told?t`<p class="told ${this.told.isError?"error":""}" role="alert">${this.told.text}</p>`:s}
<header class="top">
<a class="skip" href="#/${this.path}" @click=${this.skip}>Go to the content</a>
<strong>${this.desk?.profile.assistantName??"AiSHA"} desk</strong>
${this.desk?.feed.isLost?t`<span class="lost" role="status">The server does not answer; trying again…</span>`:s}
<span class="end"></span>
${this.users()}
<button class="button" @click=${()=>this.setTheme("light"===this.theme?"midnight":"light")}>
${"light"===this.theme?"Dark":"Light"}
</button>
</header>
${this.navigation()}
<main id="content" tabindex="-1">
${this.error?Oe(this.error,()=>this.start()):this.desk?this.page(this.desk,this.path):Ue}
</main>
${this.desk?this.side(this.desk):s}`}side(e){let[s="",a=""]=this.path.split("/"),i=a?xe(s):void 0;return t`<aisha-assistant
.token=${this.source}
api=${this.api}
theme=${this.theme}
name=${e.profile.assistantName}
?minimised=${kn.matches}
page=${s||"dashboard"}
record-type=${i?.type??""}
record-id=${i?a:""}
@recordchanged=${()=>e.feed.poke()}
@navigate=${this.navigate}
></aisha-assistant>
<desk-changes .desk=${e}></desk-changes>`}navigation(){let e=this.desk?.profile,[a=""]=this.path.split("/"),i=(e,i)=>t`<a href="#/${e}" aria-current=${e===a||"activities"===e&&"calendar"===a?"page":s}>${i}</a>`;return t`<nav class="pages" aria-label="Pages">
${i("","Overview")}
${ve.filter(t=>e?.modules.includes(t.module)).map(t=>i(t.page,_e(t,e?.labels??{},!0)))}
<hr />
${i("settings","Settings")} ${e?.isAdmin?i("console","Console"):s}
</nav>`}page(e,s){let[a="",i=""]=s.split("/"),n=xe(a);return"calendar"===a?t`<desk-activities .desk=${e} view="calendar"></desk-activities>`:"settings"===a?t`<desk-settings .desk=${e}></desk-settings>`:"console"===a&&e.profile.isAdmin?t`<desk-console
.desk=${e}
path=${s.slice(8)}
theme=${this.theme}
></desk-console>`:n?i?t`<desk-record .desk=${e} .kind=${n} recordId=${i}></desk-record>`:"opportunity"===n.type?t`<desk-board .desk=${e}></desk-board>`:"activity"===n.type?t`<desk-activities .desk=${e} view="list"></desk-activities>`:t`<desk-table .desk=${e} .kind=${n}></desk-table>`:t`<desk-dashboard .desk=${e} theme=${this.theme}></desk-dashboard>`}users(){return this.isLocal?t`<label class="row">
<span class="muted">Signed in as</span>
<select .value=${this.user} @change=${e=>this.signIn(e.target.value)}>
${$n.map(e=>t`<option value=${e} ?selected=${e===this.user}>${me(e)}</option>`)}
</select>
</label>`:s}get isLocal(){return null===this.token&&["localhost","127.0.0.1","[::1]"].includes(location.hostname)}signIn(e){localStorage.setItem(_n,e),location.reload()}async localToken(){let e=await fetch(`${this.api}/local/token?user=${encodeURIComponent(this.user)}&tenant=demo`);if(!e.ok)throw new Error("Nobody is signed in. Start the local server with `make run`.");return(await e.json()).token}async start(){this.error="",this.client??=l({api:this.api,token:this.source,door:"widget"});let e,t=this.client;try{e=await d(t.rest.GET("/api/ai/profile"))}catch(e){return void(this.error=fe(e))}let s=new mn(t);s.addEventListener("state",()=>this.requestUpdate()),this.desk={api:t,feed:s,profile:e,tell:(e,t=!1)=>this.tell(e,t),ask:e=>this.assistant?.ask(e),go:e=>this.go(e)},s.start()}go(e){location.hash=`#/${e}`}skip(e){e.preventDefault(),this.main?.focus()}setTheme(e){this.theme=e,localStorage.setItem(xn,e)}tell(e,t){this.told={text:e,isError:t},clearTimeout(this.timer),this.timer=setTimeout(()=>this.told=null,6e3)}};Sn.styles=[p,m,De,e`:host{display:grid;grid-template:auto minmax(0,1fr) / 208px minmax(0,1fr) auto;block-size:100dvh;overflow:hidden;background:var(--aisha-bg);font-family:var(--aisha-font);line-height:1.45}.skip{position:absolute;inset-inline-start:var(--aisha-2);inset-block-start:-60px;z-index:10;background:var(--aisha-raised);padding:var(--aisha-3)}.skip:focus{inset-block-start:var(--aisha-2)}.top{grid-column:1 / 3;display:flex;align-items:center;gap:var(--aisha-3);padding:var(--aisha-2) var(--aisha-4);border-block-end:1px solid var(--aisha-line)}.top strong{font-size:var(--aisha-text-m)}.top .end{margin-inline-start:auto}nav.pages{display:flex;flex-direction:column;gap:2px;padding:var(--aisha-3) var(--aisha-2);border-inline-end:1px solid var(--aisha-line);overflow-y:auto}nav.pages a{padding:9px 12px;border-radius:var(--aisha-radius-s);color:var(--aisha-muted);font-weight:600;text-decoration:none;white-space:nowrap}nav.pages a:hover{background:var(--aisha-hover);color:var(--aisha-ink)}nav.pages a[aria-current=page]{background:var(--aisha-accent-soft);color:var(--aisha-accent)}nav.pages hr{inline-size:100%;border:0;border-block-start:1px solid var(--aisha-line)}main{overflow-y:auto;padding:var(--aisha-5);min-inline-size:0}aisha-assistant{grid-row:1 / 3;grid-column:3;inline-size:400px}aisha-assistant[minimised]{inline-size:0}.told{position:fixed;inset-block-start:var(--aisha-4);inset-inline-start:50%;transform:translate(-50%);z-index:6;max-inline-size:min(520px,calc(100vw - 32px));padding:var(--aisha-3) var(--aisha-4);background:var(--aisha-raised);border:1px solid var(--aisha-line-strong);border-radius:var(--aisha-radius);box-shadow:var(--aisha-shadow)}.lost{color:var(--aisha-warn)}@media(max-width:1100px){:host{grid-template:auto auto minmax(0,1fr) / minmax(0,1fr)}.top,nav.pages,main{grid-column:1}nav.pages{flex-direction:row;padding:var(--aisha-1) var(--aisha-2);border-inline-end:0;border-block-end:1px solid var(--aisha-line);overflow-x:auto}nav.pages hr{display:none}main{padding:var(--aisha-4);padding-block-end:96px}aisha-assistant{grid-column:1;grid-row:3;inline-size:0;block-size:0}}`],$([i()],Sn.prototype,"api",2),$([i({attribute:!1})],Sn.prototype,"token",2),$([n()],Sn.prototype,"desk",2),$([n()],Sn.prototype,"error",2),$([n()],Sn.prototype,"path",2),$([n()],Sn.prototype,"user",2),$([n()],Sn.prototype,"theme",2),$([n()],Sn.prototype,"told",2),$([r("aisha-assistant")],Sn.prototype,"assistant",2),$([r("main")],Sn.prototype,"main",2),Sn=$([h("aisha-desk")],Sn);